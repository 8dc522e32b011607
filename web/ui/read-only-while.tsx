import { type ReactNode, type SyntheticEvent, useLayoutEffect, useRef } from 'react'

interface ReadOnlyWhileProps {
  /** What the fields say is on its way to the server. */
  while: boolean
  children: ReactNode
}

function refuse(event: SyntheticEvent) {
  event.preventDefault()
  event.stopPropagation()
}
/** Whoever goes on by Tab goes on. */
const pass = (event: SyntheticEvent) => event.stopPropagation()

/**
 * Fields that stay as they are while they are being saved: what was typed meanwhile would go with the draft once the
 * server has it. Read only and not disabled, so that the focus stays where it is. Set on the page and not by every field,
 * so that it holds all of them, and the buttons between them.
 */
export function ReadOnlyWhile({ while: held, children }: ReadOnlyWhileProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!held) return
    const all = box.current?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea') ?? []
    const fields = [...all].filter(({ readOnly }) => !readOnly)
    for (const field of fields) field.readOnly = true
    return () => {
      for (const field of fields) field.readOnly = false
    }
  }, [held])
  return (
    <div
      ref={box}
      className="contents"
      {...(held && { onClickCapture: refuse, onChangeCapture: pass, onKeyDownCapture: pass, onPasteCapture: pass })}
    >
      {children}
    </div>
  )
}
