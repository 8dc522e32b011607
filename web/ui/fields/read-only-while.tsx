import { type ReactNode, type SyntheticEvent, useLayoutEffect, useRef } from 'react'

interface ReadOnlyWhileProps {
  while: boolean
  children: ReactNode
}

function blockEvent(event: SyntheticEvent) {
  event.preventDefault()
  event.stopPropagation()
}
const stopEvent = (event: SyntheticEvent) => event.stopPropagation()

/** Read-only, not disabled: focus stays, and input typed while saving would be lost with the draft. */
export function ReadOnlyWhile({ while: isReadOnly, children }: ReadOnlyWhileProps) {
  const container = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!isReadOnly) return
    const controls =
      container.current?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea') ?? []
    const fields = [...controls].filter(({ readOnly }) => !readOnly)
    for (const field of fields) field.readOnly = true
    return () => {
      for (const field of fields) field.readOnly = false
    }
  }, [isReadOnly])
  return (
    <div
      ref={container}
      className="contents"
      {...(isReadOnly && {
        onClickCapture: blockEvent,
        onChangeCapture: stopEvent,
        onKeyDownCapture: stopEvent,
        onPasteCapture: stopEvent,
      })}
    >
      {children}
    </div>
  )
}
