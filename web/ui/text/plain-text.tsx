/** Text with its paragraphs and line breaks, spaced as rendered Markdown is. */
export function PlainText({ text }: { text: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {text
        .trim()
        .split(/\n[^\S\n]*\n\s*/)
        .map((paragraph, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no other name than their place
          <p key={index} className="wrap-anywhere whitespace-pre-line">
            {paragraph}
          </p>
        ))}
    </div>
  )
}
