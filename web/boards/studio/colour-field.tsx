import { useState } from 'react'
import type { BoardTheme } from '#contract/boards/boards.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { changeConfig } from '../document/board-document.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'

const hexColor = /^#[0-9a-f]{6}$/i

/** Text that isn't a valid color stays in the box and doesn't change the board. */
export function ColorField({ name, label }: { name: keyof BoardTheme; label: string }) {
  const editor = useBoardEditor()
  const theme = useBoard(({ document }) => document.config.theme)
  const [draft, setDraft] = useState<string>()
  const color = theme[name]
  const isDisabled = !editor.canEdit

  function change(next: string) {
    const isColor = hexColor.test(next)
    setDraft(isColor ? undefined : next)
    if (isColor)
      editor.edit(
        'Change a color',
        (document) => changeConfig({ theme: { ...document.config.theme, [name]: next } })(document),
        `board-${name}`,
      )
  }

  return (
    <TextField
      label={label}
      mono
      value={draft ?? color}
      maxLength={7}
      disabled={isDisabled}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="none"
      error={draft === undefined ? undefined : 'Enter a color as 7 characters, like #334155.'}
      onChange={({ currentTarget }) => change(currentTarget.value.trim())}
      onBlur={() => editor.endGesture()}
      end={
        <input
          type="color"
          aria-label={`Choose the ${label.toLowerCase()}`}
          value={color.toLowerCase()}
          disabled={isDisabled}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          onBlur={() => editor.endGesture()}
          className="size-6 cursor-pointer rounded-xs border border-border bg-transparent p-0"
        />
      }
    />
  )
}
