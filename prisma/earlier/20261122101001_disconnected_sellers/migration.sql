-- Finds the few sellers who have to connect payouts again, which administrators count and list.
CREATE INDEX "User_disconnected_idx" ON "User"("id") WHERE "payoutsState" = 'disconnected';
