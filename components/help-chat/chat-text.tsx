/** The pages of this site that an answer may name. */
const OUR_PAGES = /(\/(?:login|forgot-password|create-drop|find-order|prohibited-content)\b)/

/** Shows an answer, with the pages it names as links. */
export function ChatText({ text }: { text: string }) {
  return text.split(OUR_PAGES).map((part, at) =>
    at % 2 === 1 ? (
      <a key={at} href={part} className="font-medium underline underline-offset-2">
        {part}
      </a>
    ) : (
      part
    ),
  )
}
