import { plainForgotRoute } from '@/lib/http/plain-forgot-route'

export const POST = plainForgotRoute('password')
