-- Run once by a superuser. The owner has the tables and migrates; the app role serves and owns nothing; the third writes seals, which
-- the app role cannot.
-- psql -v owner_password=… -v app_password=… -v seal_password=… -f roles.sql
CREATE ROLE saalchef_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE saalchef_app LOGIN PASSWORD :'app_password';
CREATE ROLE saalchef_seal LOGIN PASSWORD :'seal_password';
CREATE DATABASE saalchef OWNER saalchef_owner ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE saalchef FROM PUBLIC;
GRANT CONNECT ON DATABASE saalchef TO saalchef_app, saalchef_seal;
