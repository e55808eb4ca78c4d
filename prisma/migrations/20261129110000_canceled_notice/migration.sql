-- Followers who read when a drop starts also read that its start was canceled (docs/product.md#followers).
ALTER TABLE "FollowerNotice" DROP CONSTRAINT "FollowerNotice_kind_check";
ALTER TABLE "FollowerNotice" ADD CONSTRAINT "FollowerNotice_kind_check"
  CHECK ("kind" IN ('scheduled', 'live', 'lastHour', 'canceled')) NOT VALID;
ALTER TABLE "FollowerNotice" VALIDATE CONSTRAINT "FollowerNotice_kind_check";
