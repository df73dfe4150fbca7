"""Temporary: pictures against a fake server of hands."""
import itertools, json, os, re
from collections.abc import Callable
import pytest
from playwright.sync_api import Page, Route
from casino.people.models import Person
from tables.models import Table
from tests.browser.hands import HandTablet
from tests.poker import PokerRoom
pytestmark = pytest.mark.browser
_n = itertools.count(1)

class Fake:
    def __init__(self, page, timed): 
        self.stays=[]; self.hands=[]; self.n=0; self.timed=timed; self.log=[]
        page.route("**/api/tables/*/surface/*", self.surface)
        page.route(re.compile(r"/api/(tables/[^/]+/(stays|time|hands)|stays|hands)/"), self.command)
        self.online=True
    def surface(self, route: Route):
        r = route.fetch()
        body = r.json()
        body["stays"] = self.stays
        body["hands"] = {"count": len(self.hands), "last": self.hands[-1] if self.hands else None}
        route.fulfill(response=r, json=body)
    def command(self, route: Route):
        req = route.request; url=req.url; body=json.loads(req.post_data or "{}")
        self.log.append((url.split("/api/")[1], body))
        print(url.split("/api/")[1], body)
        from datetime import datetime, timezone, timedelta
        now = datetime.now(timezone.utc)
        def ok(a): route.fulfill(json={"replayed": False, "answer": a})
        if url.endswith("/stays/"):
            self.n+=1
            s={"id": f"00000000-0000-4000-8000-{self.n:012d}", "number": self.n, "seat": body["seat"], "state":"playing", "began_at": (now-timedelta(minutes=12*self.n)).isoformat(), "away_since": None, "bought_minor": body["amount_minor"], "time": {"half_hours":1,"amount_minor":500,"paid_until": (now+timedelta(minutes=self.n*3-4)).isoformat()} if self.timed else None}
            self.stays.append(s); return ok(s)
        m=re.search(r"/stays/([^/]+)/(\w+)/", url)
        if m:
            s=next(x for x in self.stays if x["id"]==m[1])
            if m[2]=="chips" and body["kind"]=="top_up": s["bought_minor"]+=body["amount_minor"]
            if m[2]=="away": s["state"]="away"; s["away_since"]=now.isoformat()
            if m[2]=="back": s["state"]="playing"; s["away_since"]=None
            if m[2]=="move": s["seat"]=body["seat"]
            if m[2]=="leave": self.stays.remove(s); return ok({"stay": s["id"], "counted_minor": body["counted_minor"], "difference_minor":0,"time_minor":0})
            return ok(s)
        m=re.search(r"/hands/([^/]+)/(end|correct)/", url)
        if m:
            if m[2]=="end":
                h={"id": m[1], "number": len(self.hands)+1, "state":"ended","revision":1,"rake_minor": body["rake_minor"], "pot_minor": body["pot_minor"]}
                if body["pot_minor"]: h["rake_minor"]=min(1000, body["pot_minor"]*5//100//50*50)
                self.hands.append(h)
            else:
                h=next(x for x in self.hands if x["id"]==m[1]); h["revision"]+=1; h["rake_minor"]=body["result"]["rake_minor"]
            return ok(h)
        if "/time/" in url: return ok({"payments": []})
        route.fulfill(status=500, body="x")

@pytest.mark.parametrize("language", os.environ.get("LANGS","de,en").split(","))
@pytest.mark.parametrize("which", ("raked","timed"))
def test_pictures(floor_server: object, new_floor_page: Callable[..., Page], language: str, which: str) -> None:
    room = PokerRoom(suffix=f".pl{next(_n)}{language}{os.getpid()}")
    Person.objects.filter(pk=room.martina.pk).update(language=language, full_name="Jean-Baptiste Oberholzer")
    page = new_floor_page(has_touch=True, language=language, reduced_motion="reduce", service_workers="block", allowed="Service Worker|DISCONN|font|INTERNET")
    fake = Fake(page, which=="timed")
    t = HandTablet(page, getattr(room, which), room.martina)
    def pic(name):
        page.evaluate("document.fonts.ready")
        for w,h in ((1280,800),(1024,768),(800,1280)):
            page.set_viewport_size({"width":w,"height":h}); page.wait_for_timeout(80)
            page.screenshot(path=f"/tmp/tabletpics/{which}_{name}_{language}_{w}.png")
        page.set_viewport_size({"width":1280,"height":800})
    pic("empty")
    t.open_seat(1); pic("buyin"); page.locator("[data-pad]").tap(); page.locator(".numbers button").nth(4).tap(); pic("buyin_pad"); t.later(); page.locator(".rail-key").first.tap()
    for seat, minor in ((1,20000),(2,12000),(3,4000),(4,12000),(5,20000),(7,12000),(9,20000)):
        t.buy_in(seat, minor)
    pic("before")
    t.open_seat(4); pic("stay"); page.locator("[data-part=away]").tap(); t.later()
    t.next_hand(); pic("dealt")
    t.head(7).tap()
    t.open_seat(2); page.locator("[data-part=tip]").tap(); pic("tip"); page.locator("[data-minor='200']").tap(); t.green(); pic("waiting")
    if which=="raked":
        t.dock("other").tap(); page.locator(".numbers button").nth(5).tap();page.locator(".numbers button").nth(6).tap(); pic("pot"); t.later(); page.locator(".rail-key").first.tap(); t.later()
        t.rake("200"); pic("held"); page.wait_for_timeout(4500); pic("sent")
        t.later(); page.locator(".rail-key").first.tap(); pic("correct"); t.later(); t.dock("300").tap(); t.act(); t.phase("between"); page.wait_for_timeout(500); pic("corrected")
        t.next_hand()
    else:
        t.act(); pic("held")
    t.open_seat(3); page.locator("[data-part=leave]").tap(); pic("leave"); t.later(); page.locator(".rail-key").first.tap(); page.locator("[data-part=move]").tap(); pic("move")
    t.later(); page.locator(".rail-key").first.tap(); t.later(); page.locator(".rail-key").first.tap(); t.later()
    page.locator(".helps").tap(); pic("help")
    print(fake.log)
