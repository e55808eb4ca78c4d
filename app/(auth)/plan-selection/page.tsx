export { default, metadata } from '../plans/page'
