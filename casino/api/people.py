"""Who may deal: what a pit boss chooses from when a table opens or changes hands."""

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.schemas import openapi
from casino.api.schemas.answers import answer
from casino.api.schemas.common import Person as PersonNamed
from casino.api.views import HouseView
from casino.people.models import Person
from casino.people.permissions import RUN_FLOOR
from tables.services.parts import DEALERS


class Croupiers(HouseView):
    """People of the house who may have a table."""

    rights = {"get": (RUN_FLOOR,)}

    @openapi.listing(
        "croupiers_list", "Who may have a table: croupiers and pit bosses of the house", PersonNamed
    )
    def get(self, request: Request) -> Response:
        rows = self.scope.rows(Person.objects.filter(is_active=True, roles__overlap=list(DEALERS)))
        return self.page(
            rows, ("full_name", "id"), lambda found: [answer(PersonNamed, row) for row in found]
        )
