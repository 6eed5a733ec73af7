import { ApiMapping, DomainName, HttpApi, type IHttpStage, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { addOutput } from '#infra/parts/output.ts';
import type { Settings } from '#infra/settings.ts';

type DomainSettings = NonNullable<Settings['webhookDomain']>;

/**
 * A domain of the partner for the webhook route, and an API of its own, which answers at no other address. The partner's own routes
 * stay on the other API: a client certificate would lock out their callers.
 */
export class WebhookDomain extends Construct {
  readonly api: HttpApi;
  /** Without a slash at its end. */
  readonly url: string;
  readonly #domain: DomainName;

  constructor(scope: Construct, id: string, settings: DomainSettings) {
    super(scope, id);
    const { name, certificateArn, mutualTls } = settings;
    this.api = new HttpApi(this, 'WebhooksApi', {
      description: 'Where the platform delivers webhooks, at a domain of its own',
      createDefaultStage: false,
      disableExecuteApiEndpoint: true,
    });
    this.#domain = new DomainName(this, 'DomainName', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      securityPolicy: SecurityPolicy.TLS_1_2,
      ...(mutualTls && this.#trust(mutualTls)),
    });
    this.url = `https://${name}`;
    addOutput(
      this,
      'WebhookDomainTarget',
      'Create a DNS record of webhookDomain.name that leads here: CNAME, or an alias in Route 53',
      this.#domain.regionalDomainName,
    );
    addOutput(
      this,
      'WebhookDomainZone',
      'The hosted zone of WebhookDomainTarget, for an alias in Route 53',
      this.#domain.regionalHostedZoneId,
    );
  }

  /** Has the domain answer from the stage of the API. */
  serve(stage: IHttpStage): void {
    new ApiMapping(this, 'Mapping', { api: this.api, domainName: this.#domain, stage });
  }

  #trust({ truststore, truststoreVersion, ownershipCertificateArn }: NonNullable<DomainSettings['mutualTls']>) {
    const { hostname: bucketName, pathname } = new URL(truststore);
    return {
      mtls: {
        bucket: Bucket.fromBucketName(this, 'Truststore', bucketName),
        key: pathname.slice(1),
        ...(truststoreVersion !== undefined && { version: truststoreVersion }),
      },
      ...(ownershipCertificateArn !== undefined && {
        ownershipCertificate: Certificate.fromCertificateArn(this, 'Ownership', ownershipCertificateArn),
      }),
    };
  }
}
