-- Who may do what with a caseflow database on PostgreSQL 13 or later. Run it once, as an administrator of the server:
--
--     caseflow init --roles | psql -d postgres            (another name: psql -v database=NAME)
--
-- caseflow_owner    makes and migrates the tables: caseflow init. Nothing else runs under it.
-- caseflow_app      serve, scheduler and every other command: no table is made, altered or emptied; of the record nothing is changed or removed.
-- caseflow_records  the same, and caseflow dispose: removes a record whose stub stands.
-- caseflow_reader   reads, for reports and audits: no passwords' digests, no tokens, no secrets.
--
-- Then give each a password (\password caseflow_owner ...) and run, with the owner's address: caseflow init. It grants what is said above
-- for every table, and does so again after each migration.
\set ON_ERROR_STOP on
\if :{?database}
\else
  \set database caseflow
\endif

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['caseflow_owner', 'caseflow_app', 'caseflow_records', 'caseflow_reader'] LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE', wanted);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END LOOP;
END $$;

SELECT format('CREATE DATABASE %I OWNER caseflow_owner ENCODING ''UTF8'' LC_COLLATE ''C'' LC_CTYPE ''C.UTF-8'' TEMPLATE template0', :'database')
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \gexec
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', :'database') \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO caseflow_app, caseflow_records, caseflow_reader', :'database') \gexec

\connect :"database"
ALTER SCHEMA public OWNER TO caseflow_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO caseflow_app, caseflow_records, caseflow_reader;
