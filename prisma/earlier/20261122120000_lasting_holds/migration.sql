-- Whether somebody keeps units of a drop without paying is asked with every hold while a drop is crowded. Without this index
-- that question reads all holds of the drop. The key of the network is forgotten after two hours, so the index stays small.
CREATE INDEX "Hold_lasting_idx" ON "Hold" ("dropId", "createdAt") WHERE "state" <> 'sold' AND "originKey" IS NOT NULL;
