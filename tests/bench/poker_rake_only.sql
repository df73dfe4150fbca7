-- A hand at rake only by bare SQL: the rows that the service writes, in one transaction, one
-- statement for each table.
BEGIN;
INSERT INTO payouts_commandkey (key, fingerprint, answer, created_at)
    VALUES (gen_random_uuid()::text, '{print}', (:answer)::jsonb, now());
SELECT id FROM tables_table WHERE id = '{table}' FOR NO KEY UPDATE;
SELECT id FROM payouts_account WHERE id IN ({accounts}) ORDER BY id FOR NO KEY UPDATE;
INSERT INTO tables_hand (id, house_id, table_id, session_id, number, state, revision, entry_level,
    variant, sent_hash, croupier_id, queued)
    SELECT gen_random_uuid(), '{house}', '{table}', '{session}', coalesce(max(number), 0) + 1,
    'ended', 1, 'rake_only', 'holdem', '{print}', '{croupier}', false
    FROM tables_hand WHERE session_id = '{session}' RETURNING id AS hand \gset
INSERT INTO payouts_transfer (house_id, actor_id, gaming_day, key, kind, subject_kind, subject_id,
    reason, posted_at)
    VALUES ('{house}', '{croupier}', '{day}', gen_random_uuid()::text, 'hand_raked', 'hand',
    (:hand)::uuid, '', now()) RETURNING id AS transfer \gset
INSERT INTO payouts_entry (house_id, transfer_id, account_id, amount_minor, account_version,
    balance_after_minor, note)
    SELECT '{house}', :transfer, a.id, leg.amount, a.version + 1, a.balance_minor + leg.amount, ''
    FROM (VALUES {legs}) AS leg (account, amount) JOIN payouts_account a ON a.id = leg.account;
UPDATE payouts_account a SET version = version + 1, balance_minor = balance_minor + leg.amount
    FROM (VALUES {legs}) AS leg (account, amount) WHERE a.id = leg.account;
INSERT INTO tables_handresult (house_id, hand_id, revision, dealt, flop, walk, rake_minor,
    transfer_id, entered_by_id, reason)
    VALUES ('{house}', (:hand)::uuid, 1, ARRAY[{dealt}]::uuid[], true, false, 500, :transfer,
    '{croupier}', '');
COMMIT;
