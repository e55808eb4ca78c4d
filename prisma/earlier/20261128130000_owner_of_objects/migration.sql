-- The stored files of one account are added up before it may send more (docs/product.md#limits-of-uploads).
CREATE INDEX "StoredObject_ownerId_idx" ON "StoredObject" ("ownerId");
