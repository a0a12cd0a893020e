-- revision: 3
-- What a broker with a key does every few seconds: it records with which key it seals, and asks whether stored payloads
-- are to be sealed again. They are, with the key that all brokers seal with, after that key has changed; when a queue
-- was encrypted that has plain messages; and when a queue may have payloads in the form that is not bound.
--
-- o_state: 'waiting', brokers seal with several keys, so that nothing is done until they agree; 'held', another broker
-- does it; 'idle', there is nothing to do; 'work', the caller is to take the step that starts behind o_partition,
-- o_group and o_offset. A pass continues where it stopped, also at another broker. It begins again after brokers have
-- disagreed: the other key may have sealed messages behind its position.
--
-- p_live: a broker that was not seen for this time is gone. What could not be decrypted is tried again after p_retry.
--
-- Called by: the broker.
-- Locks: queues, never waited for (encryption_began_v1); the broker's row; the row of the pass; rows of brokers that
-- are gone, never waited for: a broker that has its row locked has just come back, and waits for the row of the pass.
create or replace function queen.reseal_look_v1(
  p_shard smallint,
  p_broker uuid,
  p_key_id text,
  p_live interval,
  p_lease interval,
  p_retry interval,
  out o_state text,
  out o_pass_id uuid,
  out o_letters boolean,
  out o_partition uuid,
  out o_group text,
  out o_offset bigint
)
language plpgsql
set jit = off
as $$
declare
  v_r queen.resealing;
  v_now timestamptz;
begin
  perform queen.encryption_began_v1(null);
  insert into queen.sealing_brokers as b (broker_id, key_id, seen_at)
  values (p_broker, p_key_id, clock_timestamp())
  on conflict (broker_id) do update set key_id = excluded.key_id, seen_at = excluded.seen_at;
  insert into queen.resealing (shard) values (p_shard) on conflict (shard) do nothing;
  select r.* into strict v_r from queen.resealing r where r.shard = p_shard for no key update;
  v_now := clock_timestamp();
  delete from queen.sealing_brokers b
  where b.broker_id = any (array(
    select o.broker_id from queen.sealing_brokers o where o.seen_at < v_now - p_live for update skip locked));

  if exists (select from queen.sealing_brokers b where b.key_id <> p_key_id) then
    o_state := 'waiting';
    update queen.resealing r
    set complete_key = null, pass_id = null
    where r.shard = p_shard and (r.complete_key is not null or r.pass_id is not null);
    return;
  end if;
  if v_r.pass_id is not null and v_r.key_id = p_key_id then
    if v_r.holder <> p_broker and v_r.expires_at > v_now then
      o_state := 'held';
      return;
    end if;
  elsif v_r.complete_key is distinct from p_key_id
    or (v_r.left_over > 0 and v_r.ended_at < v_now - p_retry)
    or exists (
      select
      from queen.queues q
      where ((q.encryption_enabled and q.sealed_since > '-infinity') or q.bound_since > '-infinity')
        and (q.id <> all (v_r.left_queues) or q.sealed_since > v_r.started_at))
  then
    update queen.resealing r
    set pass_id = gen_random_uuid(), key_id = p_key_id, started_at = v_now, ended_at = null, letters = false,
        at_partition = null, at_group = null, at_offset = null, messages = 0, dead_letters = 0, left_over = 0,
        left_queues = '{}'
    where r.shard = p_shard
    returning r.* into v_r;
  else
    o_state := 'idle';
    return;
  end if;
  update queen.resealing r set holder = p_broker, expires_at = v_now + p_lease where r.shard = p_shard;
  o_state := 'work';
  o_pass_id := v_r.pass_id;
  o_letters := v_r.letters;
  o_partition := v_r.at_partition;
  o_group := v_r.at_group;
  o_offset := v_r.at_offset;
end
$$;
