/** The pages of this site that a reply may name. */
const OUR_PAGES = /(\/(?:login|forgot-password|create-drop|find-order|prohibited-content)\b)/

/** Shows a reply, and turns the paths of pages in it into links. */
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
