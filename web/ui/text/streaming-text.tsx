const fadingWordCount = 24

export function StreamingText({ text, streaming }: { text: string; streaming: boolean }) {
  if (!streaming) return <span className="whitespace-pre-wrap">{text}</span>
  const words = text.split(/(?<=\s)/)
  const settledCount = Math.max(words.length - fadingWordCount, 0)
  return (
    <span className="whitespace-pre-wrap">
      {words.slice(0, settledCount).join('')}
      {words.slice(settledCount).map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words are identified by index
        <span key={settledCount + index} className="animate-word">
          {word}
        </span>
      ))}
      <span
        aria-hidden
        className="ms-0.5 inline-block h-[1em] w-[0.45em] translate-y-[0.15em] rounded-[1px] bg-ribbon forced-colors:bg-[CanvasText]"
      />
    </span>
  )
}
