/** The one page of the console: the script shows the rest by the address. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Drawbridge console</title>
<link rel="icon" href="/assets/icon.svg">
<link rel="stylesheet" href="/assets/console.css">
<script type="module" src="/assets/console.js"></script>
</head>
<body><div id="console"></div></body>
</html>
`;

/** The two towers of a bridge, and its deck. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6b75"/><path d="M8 7v18M24 7v18M4 20h24M8 9c3 8 13 8 16 0" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>`;
