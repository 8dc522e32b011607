import { useRef, useState } from 'react'
import { unsentWords } from './chat-memory.ts'
import { putBack, takenOut } from './words-in-box.ts'

/** The composer's text, stored until the server has it. */
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
    sent(words: string) {
      onTheirWay.current = words
      show(takenOut(words, present.current))
    },
    /** Text typed in the meantime stays in the box. */
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
