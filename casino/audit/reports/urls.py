"""Addresses of reports."""

from django.urls import path

from casino.audit.reports import run_views, views

urlpatterns = [
    path("", views.reports, name="audit_reports"),
    path("runs/<uuid:pk>/", run_views.run, name="audit_report_run"),
    path("runs/<uuid:pk>/file/", run_views.run_file, name="audit_report_file"),
    path("<slug:kind>/", views.report, name="audit_report"),
]
