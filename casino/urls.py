"""Every address of the project. Closed unless its view says `login_not_required` (`casino/middleware.py`)."""

from django.contrib import admin
from django.urls import include, path

from casino import health, unavailable, views

urlpatterns = [
    path("", views.home, name="home"),
    path("home/<slug:role>/", views.role_home, name="role-home"),
    path("sign-in/", views.sign_in, name="sign-in"),
    path("sign-in/demo/", views.demo_codes, name="demo-codes"),
    path("sign-in/password/", views.own_password, name="own-password"),
    path("sign-in/authenticator/", views.enrolment, name="enrolment"),
    path("sign-out/", views.sign_out, name="sign-out"),
    path("password/", views.password, name="password"),
    path("language/", views.language, name="language"),
    path("admin/", admin.site.urls),
    path("", include(health)),
]

handler400 = views.bad_request
handler403 = views.forbidden
handler404 = views.not_found
handler500 = unavailable.server_error
