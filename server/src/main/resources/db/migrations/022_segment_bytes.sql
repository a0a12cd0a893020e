-- How much a pop would deliver is known before it leases: see fitting_v1. Why: docs/decisions/042.

-- About the bytes of the payloads, before compression. Null: written before this column existed; then it is worked out.
alter table queen.segments add column bytes integer;
