"""A demo house after an evening: what must be as it was before."""

from django.contrib.sessions.models import Session
from django.utils.timezone import now

from casino.demo.display import OWN
from casino.devices.models import Device, DeviceSession
from jackpot.models import RequiredDisplay
from payouts.models import Count
from payouts.models.count import RUNNING
from tables.models import Difference, Table


def check_that_the_house_is_as_it_was() -> None:
    """Nothing of the evening is waited for, in service or signed in: the house's own display alone is, as before."""
    there = Device.objects.filter(kind="display", revoked_at=None).values_list("pk", "name")
    assert [name for _, name in there] == [OWN]
    assert list(RequiredDisplay.objects.filter(ended_at=None).values_list("display_id", "name")) == list(there)
    assert not Device.objects.filter(kind="tablet", revoked_at=None).exists()
    assert not DeviceSession.objects.filter(ended_at=None).exists()
    assert not Session.objects.filter(expire_date__gt=now()).exists()
    assert not Table.objects.exclude(session=None).exists()
    assert not Count.objects.filter(state__in=RUNNING).exists()
    assert not Difference.objects.filter(state="open").exists()
