// Next takes the metadata of a response with status 404 from this file.
export { default } from '@/app/not-found'
export { generateMetadata } from './page'
