-- AlterEnum
ALTER TYPE "TokenPurpose" ADD VALUE 'emailUndo';
