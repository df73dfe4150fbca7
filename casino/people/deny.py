"""Rights at the edge of the API."""

from typing import TYPE_CHECKING

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

if TYPE_CHECKING:  # the framework reads this module while it loads its views
    from rest_framework.views import APIView


class DenyAll(BasePermission):
    """The default of every API view: a view that does not say who may call it may be called by
    nobody.
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Nobody."""
        return False
