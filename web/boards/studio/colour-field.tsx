import { useState } from 'react'
import type { BoardTheme } from '#contract/boards/boards.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { changeConfig } from '../document/board-document.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'

const hex = /^#[0-9a-f]{6}$/i

/** A colour of the board, chosen or typed as seven characters; what is no colour stays in the box and goes no further. */
export function ColourField({ name, label }: { name: keyof BoardTheme; label: string }) {
  const editor = useBoardEditor()
  const theme = useBoard(({ document }) => document.config.theme)
  const [typed, setTyped] = useState<string>()
  const colour = theme[name]
  const off = !editor.canEdit

  function change(next: string) {
    const isColour = hex.test(next)
    setTyped(isColour ? undefined : next)
    if (isColour)
      editor.edit(
        'Change a colour',
        (document) => changeConfig({ theme: { ...document.config.theme, [name]: next } })(document),
        `board-${name}`,
      )
  }

  return (
    <TextField
      label={label}
      mono
      value={typed ?? colour}
      maxLength={7}
      disabled={off}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="none"
      error={typed === undefined ? undefined : 'Give a colour as #334155: 7 characters.'}
      onChange={({ currentTarget }) => change(currentTarget.value.trim())}
      onBlur={() => editor.endGesture()}
      end={
        <input
          type="color"
          aria-label={`Choose the ${label.toLowerCase()}`}
          value={colour.toLowerCase()}
          disabled={off}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          onBlur={() => editor.endGesture()}
          className="size-6 cursor-pointer rounded-xs border border-border bg-transparent p-0"
        />
      }
    />
  )
}
