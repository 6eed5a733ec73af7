import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

public class Client {
    static final String PLATFORM = "http://localhost:4010";
    static final HttpClient http = HttpClient.newHttpClient();

    public static void main(String[] arguments) throws Exception {
        var notified = new CountDownLatch(1);
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            var body = new String(exchange.getRequestBody().readAllBytes());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
            System.out.println(exchange.getRequestURI() + " " + field(body, "status"));
            notified.countDown();
        });
        server.start();
        try {
            run(server.getAddress().getPort());
            notified.await(30, TimeUnit.SECONDS);
        } finally {
            server.stop(0);
        }
    }

    static void run(int port) throws Exception {
        var form = "grant_type=client_credentials&client_id=sandbox&client_secret=sandbox-secret";
        var token = field(call("/oauth2/token", form, "application/x-www-form-urlencoded", null), "access_token");

        var eventType = "NATURAL_PERSON_NOTIFICATION";
        var url = "http://localhost:" + port + "/" + eventType;
        call("/webhooks", """
            {"eventType": "%s", "url": "%s"}""".formatted(eventType, url), "application/json", token);

        call("/entities/natural-persons", """
            {"gender": "FEMALE", "firstName": "Erika", "lastName": "Magic-Rejected", "birthDay": "1990-02-03",
             "birthPlace": "Berlin", "birthCountry": "DE", "isUsNationality": false}""", "application/json", token);
    }

    static String call(String path, String body, String contentType, String token) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(PLATFORM + path))
            .header("Content-Type", contentType)
            .POST(HttpRequest.BodyPublishers.ofString(body));
        if (token != null) request.header("Authorization", "Bearer " + token);
        var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
        return answer.body();
    }

    /** A client of yours reads JSON with a library. */
    static String field(String json, String name) {
        var matcher = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        return matcher.find() ? matcher.group(1) : "";
    }
}
