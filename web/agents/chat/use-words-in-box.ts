import { useRef, useState } from 'react'
import { unsentWords } from './chat-memory.ts'
import { putBack, takenOut } from './words-in-box.ts'

/** The words in the box of a chat. They are kept until the server has them, also those on their way to it. */
export function useWordsInBox(place: string) {
  const [draft] = useState(() => unsentWords(place))
  const [text, setText] = useState(() => draft.read() ?? '')
  const present = useRef(text)
  const onTheirWay = useRef('')

  function show(next: string) {
    present.current = next
    setText(next)
  }
  function keep() {
    draft.write(onTheirWay.current ? putBack(onTheirWay.current, present.current) : present.current)
  }
  function write(next: string) {
    show(next)
    keep()
  }
  return {
    text,
    write,
    /** Out of sight, not yet forgotten. */
    sent(words: string) {
      onTheirWay.current = words
      show(takenOut(words, present.current))
    },
    /** What was typed meanwhile waits for its own turn. */
    taken() {
      onTheirWay.current = ''
      keep()
    },
    refused(words: string) {
      onTheirWay.current = ''
      write(putBack(words, present.current))
    },
  }
}
