import { answerSandboxPage } from '@/lib/http/answer-sandbox-page'

export { answerSandboxPage as GET, answerSandboxPage as POST }
