import { Upload } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { readThemeFile, type ThemeInFile } from './theme-file.ts'

interface ThemeFilePickerProps {
  onThemeRead: (theme: ThemeInFile) => void
  onProblems: (problems: string[]) => void
}

export function ThemeFilePicker({ onThemeRead, onProblems }: ThemeFilePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  async function readFile({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const [file] = currentTarget.files ?? []
    // Allows choosing the same file again.
    currentTarget.value = ''
    if (!file) return
    const result = readThemeFile(await file.text())
    if ('problems' in result) onProblems(result.problems)
    else onThemeRead(result.theme)
  }
  return (
    <>
      <input ref={input} type="file" accept="application/json,.json" hidden onChange={readFile} />
      <Button size="small" icon={<Upload aria-hidden size={13} />} onClick={() => input.current?.click()}>
        Import JSON
      </Button>
    </>
  )
}

export function ThemeFileProblems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 1) return <>{problems[0]}</>
  return (
    <ul className="list-disc ps-4">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  )
}
