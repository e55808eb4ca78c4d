export { default, metadata } from '@/app/(buyer)/drop/[identifier]/not-found'
