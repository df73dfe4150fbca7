-- One round of Black Jack by bare SQL: the rows that the service writes, in five transactions, one statement for each table.
BEGIN;
INSERT INTO payouts_commandkey (key, fingerprint, answer, created_at) VALUES (gen_random_uuid()::text, '{print}', (:lock_answer)::jsonb, now());
SELECT id FROM tables_table WHERE id = '{table}' FOR SHARE;
SELECT id FROM payouts_account WHERE id IN ({accounts}) ORDER BY id FOR NO KEY UPDATE;
INSERT INTO tables_round (id, house_id, table_id, session_id, number, state, entry_level, revision, versions, lock_hash, croupier_id,
    queued, reason)
    SELECT gen_random_uuid(), '{house}', '{table}', '{session}', coalesce(max(number), 0) + 1, 'locked', 'fast', 0, '{versions}',
    '{print}', '{croupier}', false, '' FROM tables_round WHERE session_id = '{session}' RETURNING id AS round \gset
INSERT INTO tables_roundstake (house_id, round_id, revision, placed, source_id, box, guest_id, kind, offered_minor, accepted_minor,
    returned_minor, rank, reason, rule, data, standing) VALUES {stakes};
{posted}
COMMIT;
------ each stake after the lock
BEGIN;
INSERT INTO payouts_commandkey (key, fingerprint, answer, created_at)
    VALUES (gen_random_uuid()::text, '{print}', (:place_{placed}_answer)::jsonb, now());
SELECT id FROM tables_round WHERE id = (:round)::uuid FOR UPDATE;
SELECT id FROM payouts_account WHERE id IN ({accounts}) ORDER BY id FOR NO KEY UPDATE;
INSERT INTO tables_roundstake (house_id, round_id, revision, placed, source_id, box, guest_id, kind, offered_minor, accepted_minor,
    returned_minor, rank, reason, rule, data, standing) VALUES {stakes};
INSERT INTO payouts_event (name, house_id, actor_id, subject_kind, subject_id, after, reason, request_id)
    VALUES ('round.placed', '{house}', '{croupier}', 'round', (:round)::text, '{after}', '', '');
{posted}
COMMIT;
------ the end
BEGIN;
INSERT INTO payouts_commandkey (key, fingerprint, answer, created_at) VALUES (gen_random_uuid()::text, '{print}', (:settle_answer)::jsonb, now());
SELECT id FROM payouts_account WHERE id IN ({accounts}) ORDER BY id FOR NO KEY UPDATE;
UPDATE tables_round SET state = 'settled', revision = 1, ended_at = clock_timestamp(), ended_by_id = '{croupier}'
    WHERE id = (:round)::uuid AND state = 'locked';
INSERT INTO tables_roundresult (house_id, round_id, revision, source, result, entered_by_id, reason)
    VALUES ('{house}', (:round)::uuid, 1, 'taps', '{result}', '{croupier}', '');
INSERT INTO tables_roundline (house_id, round_id, revision, place, box, guest_id, kind, stake_minor, returned_minor, won_minor,
    prize_minor, odds, hand, paid_by, code, rule) VALUES {lines};
{posted}
COMMIT;
------ a posting
INSERT INTO payouts_transfer (house_id, actor_id, gaming_day, key, kind, subject_kind, subject_id, reason, posted_at)
    VALUES ('{house}', '{croupier}', '{day}', gen_random_uuid()::text, '{kind}', 'round', (:round)::uuid, '', now())
    RETURNING id AS transfer \gset
INSERT INTO payouts_entry (house_id, transfer_id, account_id, amount_minor, account_version, balance_after_minor, note)
    SELECT '{house}', :transfer, a.id, leg.amount, a.version + 1, a.balance_minor + leg.amount, ''
    FROM (VALUES {legs}) AS leg (account, amount) JOIN payouts_account a ON a.id = leg.account;
UPDATE payouts_account a SET version = version + 1, balance_minor = balance_minor + leg.amount
    FROM (VALUES {legs}) AS leg (account, amount) WHERE a.id = leg.account;
