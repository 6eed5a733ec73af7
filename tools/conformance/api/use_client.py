"""Uses the API with a client that openapi-python-client generated only from the OpenAPI document.

Arguments: the origin of the API. Exits with 1 and says what differs from what is expected.
"""
import sys
import time
import uuid

from drawbridge_client import Client
from drawbridge_client.api.onboardings import cancel_onboarding, get_onboarding, list_onboardings, request_onboarding
from drawbridge_client.api.persons import erase_person
from drawbridge_client.api.queries import count_quarantine, get_entity, get_event, get_timeline, list_events
from drawbridge_client.models import GetEntityKind, OnboardingRequest

client = Client(base_url=sys.argv[1])
external_id = f"python-{uuid.uuid4()}"


def expect(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found!r} in place of {expected!r}")
    print(f"{what}: {found}")


def body(first_name):
    return OnboardingRequest.from_dict(
        {
            "externalId": external_id,
            "person": {
                "gender": "FEMALE",
                "firstName": first_name,
                "lastName": "Mustermann",
                "birthDay": "1990-02-03",
                "birthPlace": "Berlin",
                "birthCountry": "DE",
                "isUsNationality": False,
            },
            "identification": {"mode": "none"},
        }
    )


accepted = request_onboarding.sync_detailed(client=client, body=body("Erika"))
expect("request an onboarding", accepted.status_code, 202)

conflict = request_onboarding.sync_detailed(client=client, body=body("Erna"))
expect("request other data", conflict.parsed.type_, "urn:drawbridge:problem:onboarding-conflict")
expect("the field that differs", [error.pointer for error in conflict.parsed.errors], ["#/person/firstName"])

invalid = request_onboarding.sync_detailed(client=client, body=body("Erika "))
expect("send an invalid name", invalid.parsed.errors[0].pointer, "#/person/firstName")

deadline = time.monotonic() + 60
onboarding = get_onboarding.sync(external_id, client=client)
while not isinstance(onboarding.natural_person_id, str) and time.monotonic() < deadline:
    time.sleep(0.5)
    onboarding = get_onboarding.sync(external_id, client=client)
expect("the onboarding has a person", isinstance(onboarding.natural_person_id, str), True)

listed = list_onboardings.sync(client=client, limit=1)
expect("list the latest onboarding", listed.items[0].onboarding_id, onboarding.onboarding_id)

entity = None
while getattr(entity, "kind", None) is None and time.monotonic() < deadline:
    time.sleep(0.5)
    entity = get_entity.sync(GetEntityKind.NATURAL_PERSON, onboarding.natural_person_id, client=client)
expect("get the entity of the person", entity.id, onboarding.natural_person_id)
timeline = get_timeline.sync("natural-person", onboarding.natural_person_id, client=client)
event = get_event.sync(timeline.events[0].event_id, client=client)
expect("get an event of its timeline", event.event_type, "NATURAL_PERSON_NOTIFICATION")

unknown = get_event.sync(event_id="0" * 64, client=client)
expect("get an unknown event", unknown.type_, "urn:drawbridge:problem:event-not-found")
expect("count the quarantine", count_quarantine.sync(client=client).count >= 0, True)
expect("list all events", list_events.sync_detailed(client=client).status_code in (200, 409), True)

cancel_onboarding.sync_detailed(external_id, client=client)
erasure = erase_person.sync_detailed(external_id, client=client)
while erasure.status_code == 202:
    erasure = erase_person.sync_detailed(external_id, client=client, continue_from=erasure.parsed.continue_from)
expect("erase the person", erasure.status_code, 204)
gone = get_onboarding.sync(external_id, client=client)
expect("get the erased onboarding", gone.type_, "urn:drawbridge:problem:person-erased")
