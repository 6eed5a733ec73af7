// Generated: npm run docs

/** The settings of an environment of Drawbridge. */
export type DrawbridgeSettings = {
  /** Where the platform is. */
  readonly platform: {
    /** The platform's base URL (section 5.5), without a slash at its end. */
    readonly baseUrl: string;
    /** The URL of its token service, without a slash at its end. */
    readonly authUrl: string;
  };
  /** The AWS account of the environment. A deployment to another account is refused. */
  readonly account?: string | undefined;
  /** The region of the environment. A deployment to another region is refused. */
  readonly region?: string | undefined;
  /**
   * How long an event and its body are kept. Bodies hold personal data.
   * 14 to 3653.
   * @default 400
   */
  readonly eventRetentionDays?: number | undefined;
  /**
   * How long a quarantined event with an unreadable body is kept: an erasure may not find the person in it. Never longer than eventRetentionDays. An alarm comes a week before.
   * 7 to 3653.
   * @default 30
   */
  readonly unreadRetentionDays?: number | undefined;
  /**
   * How long logs are kept.
   * @default 365
   */
  readonly logRetentionDays?: 7 | 14 | 30 | 60 | 90 | 180 | 365 | 400 | 731 | 1827 | 3653 | undefined;
  /** Who gets the alarms: e-mail addresses, and HTTPS URLs of on-call services. AWS asks each one to confirm. Name a team, not a person: everyone who reads the stack sees the addresses. */
  readonly alarmSubscribers?: readonly string[] | undefined;
  /** Where your operators read docs/reference/alarms.md: an https URL, in which {version} stands for the deployed release. Each alarm links to its section there. Unless set, an alarm names the command that shows it. */
  readonly runbookUrl?: string | undefined;
  /** Daily backups of all tables by AWS Backup. Point-in-time recovery covers the last 35 days without it. */
  readonly backup?: {
    /**
     * How long a backup is kept. An erased person stays in the backups for so long.
     * 1 to 3653.
     */
    readonly retentionDays: number;
    /**
     * The hour (UTC) at which the daily backups begin.
     * 0 to 23.
     * @default 3
     */
    readonly hour?: number | undefined;
    /**
     * Whether an administrator can end the lock of the vault. Both locks keep each backup for `retentionDays`, and no backup longer. `compliance` is permanent 14 days after the deployment: neither you nor AWS can change `retentionDays` then, or delete a backup before.
     * @default 'governance'
     */
    readonly lock?: 'governance' | 'compliance' | undefined;
    /**
     * Confirms that `lock` is `compliance`, which needs `true` here. No command can undo that lock.
     * @default false
     */
    readonly isLockPermanent?: boolean | undefined;
    /** Vaults in other regions or accounts, to which each backup is copied. */
    readonly copies?: readonly {
      /** A vault that exists, with a key of its own. */
      readonly vaultArn: string;
      /**
       * How long the copy is kept. An erased person stays in the copies for so long.
       * 1 to 3653.
       */
      readonly retentionDays: number;
    }[] | undefined;
    /** How often AWS Backup restores the latest backup of each table, and deletes the restored table within hours. AWS bills each restored GB. */
    readonly restoreTests?: 'weekly' | 'monthly' | undefined;
    /** The name of the vault, if not `drawbridge-<environment>`. A vault outlives its stack: choose another name where one is left. */
    readonly vaultName?: string | undefined;
  } | undefined;
  /**
   * Whether secrets and alarms have KMS keys apart from that of the data. `one` is for an environment that was deployed without the setting: `both` is its step to `separate` (docs/how-to/upgrade.md). Without effect where the construct is given a key.
   * @default 'one'
   */
  readonly keys?: 'one' | 'both' | 'separate' | undefined;
  /** Regions in which Secrets Manager keeps a replica of each secret, so that the credentials of the platform outlive a region. */
  readonly secretReplicas?: readonly {
    /** Another region than that of the stacks. */
    readonly region: string;
    /** A KMS key of yours in that region, with the tag `drawbridge:environment`. */
    readonly keyArn: string;
  }[] | undefined;
  /**
   * Whether the functions call AWS by endpoints that are validated for FIPS 140. Needs `region`: a region of the USA, or of GovCloud.
   * @default false
   */
  readonly fipsEndpoints?: boolean | undefined;
  /**
   * The header that the platform sends with each delivery, and that authenticates it (section 2.1).
   * @default 'X-Drawbridge-Secret'
   */
  readonly secretHeader?: string | undefined;
  /** The ranges (CIDR) from which the platform delivers. Deliveries from other addresses get 403. Every address may deliver unless set. Useless behind a proxy. */
  readonly webhookSources?: readonly string[] | undefined;
  /** Ends the random part of the webhooks URL. Change it to move the URL away from a flood: register moves the webhooks. */
  readonly webhookPathKey?: string | undefined;
  /**
   * Executions of receive: its maximum, and reserved for it. Lambda keeps 100 of an account unreserved, and refuses a deployment that leaves fewer.
   * 1 to 10000.
   */
  readonly receiveConcurrency?: number | undefined;
  /** What the webhook route takes at most. Above it the platform gets 429, and delivers later. */
  readonly webhookThrottle?: {
    /**
     * Requests a second.
     * 1 to 10000.
     */
    readonly rate: number;
    /**
     * Requests in a burst.
     * 1 to 5000.
     */
    readonly burst: number;
  } | undefined;
  /** What each route of the queries takes at most. Above it the caller gets 429. */
  readonly queryThrottle?: {
    /**
     * Requests a second.
     * 1 to 10000.
     */
    readonly rate: number;
    /**
     * Requests in a burst.
     * 1 to 5000.
     */
    readonly burst: number;
  } | undefined;
  /** What each route of the onboardings takes at most. Above it the caller gets 429. */
  readonly onboardingThrottle?: {
    /**
     * Requests a second.
     * 1 to 10000.
     */
    readonly rate: number;
    /**
     * Requests in a burst.
     * 1 to 5000.
     */
    readonly burst: number;
  } | undefined;
  /** A domain of yours for the webhook route, which is then on an API of its own, without the address of API Gateway. */
  readonly webhookDomain?: {
    /** The domain name. Create its DNS record after the first deployment. */
    readonly name: string;
    /** Its certificate in ACM, in the region of the stacks. */
    readonly certificateArn: string;
    /** Refuses callers without a client certificate. Set it only if the platform presents one. */
    readonly mutualTls?: {
      /** The S3 URI of the certificates (PEM) that the platform is trusted by. In the region of the stacks. */
      readonly truststore: string;
      /** The version of the object. Change it to have API Gateway read a changed truststore. */
      readonly truststoreVersion?: string | undefined;
      /** A public certificate of ACM for the same domain. API Gateway requires it if `certificateArn` is imported or of a private CA. */
      readonly ownershipCertificateArn?: string | undefined;
    } | undefined;
  } | undefined;
  /** Subnets and security groups of yours for the functions that call the platform, so that their requests come from the address of your NAT gateway. */
  readonly network?: {
    /** Private subnets with a route to a NAT gateway, in two availability zones or more. */
    readonly subnetIds: readonly string[];
    /** Security groups that allow outgoing HTTPS (port 443). */
    readonly securityGroupIds: readonly string[];
    /**
     * Whether the other functions are in the subnets too, for a rule that demands a VPC for each function. A fault of the network then delays deliveries.
     * @default false
     */
    readonly allFunctions?: boolean | undefined;
  } | undefined;
  /** The name or the ARN of the managed policy that bounds every role of both stacks. `drawbridge policy boundary` prints one that fits. */
  readonly permissionsBoundary?: string | undefined;
  /** Where the platform delivers, if neither at the URL of API Gateway nor at webhookDomain, without a slash at its end. The random part of the path and the event type follow. */
  readonly webhooksUrl?: string | undefined;
  /** Former values of webhooksUrl. Undelivered webhooks of these URLs are ours, and are drained. */
  readonly formerWebhooksUrls?: readonly string[] | undefined;
  /** The event types to register. All that the platform profile knows unless set. */
  readonly registeredEventTypes?: readonly string[] | undefined;
  /** The rotation of the secret in the header. */
  readonly webhookSecretRotation?: {
    /**
     * How old the secret becomes.
     * 1 to 3650.
     */
    readonly everyDays: number;
    /**
     * How long the previous secret is accepted once every webhook has the new one. Longer than the platform repeats a delivery.
     * 1 to 720.
     */
    readonly overlapHours: number;
  } | undefined;
  /**
   * Whether GET /events lists all events, from the deployment on, and not only those in quarantine. Costs two write units for each webhook.
   * @default false
   */
  readonly listEvents?: boolean | undefined;
  /**
   * Whether GET /entities/{kind} lists entities by status. Costs up to two write units for each webhook that changes a status. Entities are listed from their next webhook on.
   * @default false
   */
  readonly listEntities?: boolean | undefined;
  /**
   * Over how many partitions `listEvents` spreads the events of a type, and `listEntities` the entities of a status. More take a higher rate, and cost more for each page. A lower number saves nothing.
   * 16 to 128.
   * @default 16
   */
  readonly listLanes?: number | undefined;
  /** The kinds of entities of which the bus carries every reported status, also one that is not shown, as …StatusReported. `drawbridge.subscribe` of the construct adds the kinds that it names: list those of subscribers in other apps. EventBridge bills each event. */
  readonly statusReports?: readonly ('natural-person' | 'identification-verification' | 'order' | 'transfer')[] | undefined;
  /**
   * Batches that store works on concurrently, at most.
   * 2 to 1000.
   * @default 50
   */
  readonly storeConcurrency?: number | undefined;
  /**
   * For how long Lambda gathers webhooks into a batch of store, at most. Each webhook takes effect later by as much, unless its batch of 10 is full before.
   * 0 to 5.
   * @default 0
   */
  readonly storeBatchingSeconds?: number | undefined;
  /** How entities are compared with the platform. */
  readonly reconciliation?: {
    /**
     * How often a run asks for what is due.
     * 1 to 12.
     * @default 1
     */
    readonly everyHours?: number | undefined;
    /**
     * Calls to the platform, which documents no rate limit. At 5, a run of 15 minutes reads 85,000 persons.
     * 0.1 to 100.
     * @default 5
     */
    readonly callsPerSecond?: number | undefined;
    /**
     * A change on the platform that is younger than this is not drift: its webhook may be on its way.
     * 1 to 1440.
     * @default 15
     */
    readonly graceMinutes?: number | undefined;
    /**
     * A verification, a transfer, or a person in a status that should pass, is read back after so long without a report, and as often.
     * 1 to 8760.
     * @default 6
     */
    readonly readBackAfterHours?: number | undefined;
    /**
     * After so long without a report an entity is read back once more, counted as stale, and not read back any more.
     * 1 to 8760.
     * @default 168
     */
    readonly staleAfterHours?: number | undefined;
  } | undefined;
  /**
   * Batches of onboardings that advance concurrently, at most. Bounds the concurrent calls to the platform.
   * 2 to 1000.
   * @default 10
   */
  readonly onboardingConcurrency?: number | undefined;
  /** How this environment onboards persons. */
  readonly onboarding?: {
    /** The natural person that Drawbridge names as the requestor when it identifies or updates a person (section 5): `self`, or the id of a person with an ACTIVE proxy for each of them. Must be set in every environment but the laptop, where `self` is the default. */
    readonly requestor?: string | undefined;
    /** The platform's name for the provider of video identifications (section 2.5); `NONE` if no one is identified by video: requests for an identification by video are refused. Must be set in every environment but the laptop. */
    readonly externalVerifier?: string | undefined;
    /** In seconds: the time after which a step is published as stalled. The step still waits after that, unless the platform shows no such person: then it stops. */
    readonly deadlines?: {
      /** @default 900 */
      readonly REQUESTED?: number | undefined;
      /** @default 900 */
      readonly CREATING_PERSON?: number | undefined;
      /** @default 3600 */
      readonly FINDING_PERSON?: number | undefined;
      /** @default 172800 */
      readonly AWAITING_CHECKS?: number | undefined;
      /** @default 900 */
      readonly CREATING_VERIFICATION?: number | undefined;
      /** @default 86400 */
      readonly AWAITING_REQUESTOR?: number | undefined;
      /** @default 900 */
      readonly AWAITING_IDENTIFICATION_URL?: number | undefined;
      /** @default 604800 */
      readonly AWAITING_VIDEO_CALL?: number | undefined;
      /** @default 900 */
      readonly SENDING_IDENTIFICATION?: number | undefined;
      /** @default 172800 */
      readonly AWAITING_ACTIVATION?: number | undefined;
    } | undefined;
    /**
     * How long the platform may fail a step without a success. After that, and after the deadline of the step, the onboarding stops. Until then it retries with an exponential back-off.
     * @default 12
     */
    readonly stopAfterHours?: number | undefined;
    /** In seconds: how long a create may still take effect after its answer was lost. No second create is sent before that. */
    readonly settle?: {
      /** @default 5 */
      readonly person?: number | undefined;
      /** @default 60 */
      readonly identification?: number | undefined;
    } | undefined;
    /** Replaces `platformProfile.verificationWords.failure`, which has the same words. The setting of release 0.2.0. */
    readonly failureWords?: readonly string[] | undefined;
    /**
     * The age at which an open onboarding expires, and its request is deleted.
     * @default 90
     */
    readonly openDays?: number | undefined;
    /**
     * How long a record is kept after `openDays` have passed since the request or the latest retry.
     * @default 400
     */
    readonly retentionDays?: number | undefined;
  } | undefined;
  /** What this environment's platform does otherwise than the defaults say. */
  readonly platformProfile?: {
    /** The event types of this platform (section 2.1). Events of other types are quarantined. */
    readonly eventTypes?: readonly string[] | undefined;
    /** The name on this platform of VENDOR_EX_ANTE_DOCUMENT_READY_NOTIFICATION (section 2.1). Its first word stands for a vendor. `none` if the platform has no such event type. Takes its place in `eventTypes`. Must be set in every environment but the laptop. */
    readonly exAnteEventType?: string | undefined;
    /** Where the payload of an event type names its subject (section 6), for types that differ from the defaults. `shared/platform/profile/event-place.ts` has the defaults. */
    readonly places?: {
      readonly [name: string]: {
        readonly kind: 'natural-person' | 'identification-verification' | 'order' | 'transfer' | 'stored and published';
        readonly wrappers?: readonly string[] | undefined;
        readonly id?: readonly string[] | undefined;
        readonly status?: readonly string[] | undefined;
        readonly modifiedOn?: readonly string[] | undefined;
        readonly reason?: readonly string[] | undefined;
        readonly onErasure?: 'erased with the person' | 'kept' | undefined;
      };
    } | undefined;
    /** Statuses of entities beside those of sections 3.1 to 3.4. */
    readonly statuses?: {
      readonly 'natural-person'?: readonly {
        readonly status: string;
        readonly after: string;
        readonly final: boolean;
        readonly resting?: boolean | undefined;
        readonly from: readonly string[];
        readonly to?: readonly string[] | undefined;
        readonly meaning?: string | undefined;
      }[] | undefined;
      readonly 'identification-verification'?: readonly {
        readonly status: string;
        readonly after: string;
        readonly final: boolean;
        readonly resting?: boolean | undefined;
        readonly from: readonly string[];
        readonly to?: readonly string[] | undefined;
        readonly meaning?: string | undefined;
      }[] | undefined;
      readonly order?: readonly {
        readonly status: string;
        readonly after: string;
        readonly final: boolean;
        readonly resting?: boolean | undefined;
        readonly from: readonly string[];
        readonly to?: readonly string[] | undefined;
        readonly meaning?: string | undefined;
      }[] | undefined;
      readonly transfer?: readonly {
        readonly status: string;
        readonly after: string;
        readonly final: boolean;
        readonly resting?: boolean | undefined;
        readonly from: readonly string[];
        readonly to?: readonly string[] | undefined;
        readonly meaning?: string | undefined;
      }[] | undefined;
    } | undefined;
    /** What the statuses of a verification mean for its onboarding (section 3.2): lists of words for `success`, `failure` and `waiting`. Each list replaces its default. An onboarding waits with a status that no list has. `shared/platform/profile/profile.ts` has the defaults. */
    readonly verificationWords?: {
      readonly success?: readonly string[] | undefined;
      readonly failure?: readonly string[] | undefined;
      readonly waiting?: readonly string[] | undefined;
    } | undefined;
    /** The path of the token service (section 5.2), below `authUrl`, and its scope if it requires one. */
    readonly token?: {
      /** @default '/oauth2/token' */
      readonly path?: string | undefined;
      readonly scope?: string | undefined;
    } | undefined;
    /** The paths of the webhook operations (section 4.3), below `baseUrl`. */
    readonly webhookPaths?: {
      /** @default '/webhooks' */
      readonly webhooks?: string | undefined;
      /** @default '/webhooks-missing' */
      readonly missing?: string | undefined;
      /** @default '/webhooks-undelivered' */
      readonly undelivered?: string | undefined;
      /** @default '/webhooks-undelivered/mark-delivered' */
      readonly markDelivered?: string | undefined;
    } | undefined;
    /**
     * The path of transfers (section 4.3), below `baseUrl`.
     * @default '/transfers'
     */
    readonly transfersPath?: string | undefined;
    /**
     * The query parameter that filters natural persons by status (section 4.3).
     * @default 'naturalPersonStatus'
     */
    readonly naturalPersonStatusParameter?: string | undefined;
    /** Who is named by the header Requestor-ID (section 5) of each call for which the specification leaves it open: `none`, the id of a natural person, or `self`, the person that the call is about. `self` is refused for `naturalPersons`, `webhooks` and `undeliveredWebhooks`. With `self`, a platform may refuse to show a person that is not ACTIVE. `verifications` and `transfers` have the requestor of `onboarding.requestor` unless set. */
    readonly requestors?: {
      /** @default 'none' */
      readonly naturalPerson?: string | undefined;
      /** @default 'none' */
      readonly naturalPersons?: string | undefined;
      readonly verifications?: string | undefined;
      readonly transfers?: string | undefined;
      /** @default 'none' */
      readonly webhooks?: string | undefined;
      /** @default 'none' */
      readonly undeliveredWebhooks?: string | undefined;
    } | undefined;
    /** Fields of persons and addresses beside those of section 2.4. A list replaces the default. */
    readonly additionalFields?: {
      readonly person?: {
        readonly [name: string]: unknown;
      } | undefined;
      readonly address?: {
        readonly [name: string]: unknown;
      } | undefined;
    } | undefined;
    /** What the platform requires of sent fields, and the specification does not state. `maxTextLength`: characters of each text of a person and of an identification. `zip`, `phone`: `minLength` and `maxLength`. `hasCapitalEnums`: words of enums are in capitals. `hasAsciiHeaders`: headers of webhooks are printable ASCII. Nothing of it is checked unless set. */
    readonly sentFields?: {
      readonly maxTextLength?: number | undefined;
      readonly zip?: {
        readonly minLength?: number | undefined;
        readonly maxLength?: number | undefined;
      } | undefined;
      readonly phone?: {
        readonly minLength?: number | undefined;
        readonly maxLength?: number | undefined;
      } | undefined;
      readonly hasCapitalEnums?: boolean | undefined;
      readonly hasAsciiHeaders?: boolean | undefined;
    } | undefined;
    /**
     * Whether the platform refuses a second person of an externalId with 409 (section 2.4). If so, a create is sent again after a lost answer. If not, Drawbridge searches the whole list of persons before another create.
     * @default true
     */
    readonly isExternalIdUnique?: boolean | undefined;
    /** Times and days. `zone`: the time zone of times that name none, such as Europe/Vienna. Unless set they are UTC, and a createdOn of an undelivered webhook without a zone is ignored. `unit`: whether numbers are seconds or milliseconds since 1970; ignored unless set. `dayZone`: the time zone in which identificationDate is checked (section 4.2); not checked unless set. */
    readonly times?: {
      readonly zone?: string | undefined;
      readonly unit?: 'seconds' | 'milliseconds' | undefined;
      readonly dayZone?: string | undefined;
    } | undefined;
    /**
     * Items of a page. The default is that of section 8, because the maximum is unknown.
     * @default 20
     */
    readonly pageSize?: number | undefined;
    /** In milliseconds, `settle`: how long after an undelivered webhook was listed an older one may still appear, or one of the same createdOn. No webhook is marked before that. */
    readonly undelivered?: {
      /** @default 60000 */
      readonly settle?: number | undefined;
    } | undefined;
    /** In milliseconds: how long one attempt, and one call with all its attempts, may take. */
    readonly deadlines?: {
      /** @default 10000 */
      readonly attempt?: number | undefined;
      /** @default 30000 */
      readonly call?: number | undefined;
    } | undefined;
  } | undefined;
  /**
   * How new code of receive, store and advance gets its work. `canary` gives it 10% of the work for 15 minutes, and rolls the deployment back if it fails, stops onboardings, or publishes nothing (docs/how-to/deploy.md). AWS bills 16 alarm metrics for a canary. The laptop has none.
   * @default 'all-at-once'
   */
  readonly rollout?: 'all-at-once' | 'canary' | undefined;
  /**
   * Whether Lambda sends traces to X-Ray. `sampled` traces the first invocation of each function in a second and 5% of the others. AWS bills each trace.
   * @default 'off'
   */
  readonly tracing?: 'off' | 'sampled' | undefined;
  /**
   * Whether the environment has a CloudWatch dashboard. AWS charges for each dashboard of an account after the third.
   * @default true
   */
  readonly dashboard?: boolean | undefined;
  /**
   * For an environment that release 0.2.0 has deployed: keeps its defaults of onboarding.requestor, onboarding.externalVerifier and platformProfile.exAnteEventType. The alarm StandInsUsed is on until these are set.
   * @default false
   */
  readonly keepStandIns?: boolean | undefined;
};
