import { useState } from 'react'
import { builtInThemes } from '../themes/base/theme-colors.ts'
import { type ModeChoice, readThemeMemory, writeThemeMemory } from '../themes/base/theme-memory.ts'
import { SegmentedControl } from '../ui/controls/segmented-control.tsx'
import { Mark } from '../ui/drawings/mark.tsx'
import { SelectField } from '../ui/fields/select-field.tsx'
import { Toaster } from '../ui/overlays/toaster.tsx'
import { ControlSpecimens } from './control-specimens.tsx'
import { NoticeSpecimens, OverlaySpecimens } from './overlay-specimens.tsx'
import { DrawingSpecimens, ReadingSpecimens } from './reading-specimens.tsx'

export function WorkbenchPage() {
  return (
    <main id="main" className="mx-auto max-w-[1320px] px-7 pt-7 pb-20 phone:px-4">
      <div className="mb-7 flex flex-wrap items-center gap-4">
        <Mark size={30} />
        <div className="min-w-0 flex-1 basis-80">
          <h1>Components and states</h1>
          <p className="mt-1 text-muted-foreground">Every shared component in every state.</p>
        </div>
        <ThemeSwitch />
      </div>
      <div className="columns-3 gap-7 max-[1100px]:columns-2 phone:columns-1">
        <ControlSpecimens />
        <NoticeSpecimens />
        <OverlaySpecimens />
        <ReadingSpecimens />
        <DrawingSpecimens />
      </div>
      <Toaster />
    </main>
  )
}

function ThemeSwitch() {
  const [memory, setMemory] = useState(readThemeMemory)
  function choose(change: Partial<typeof memory>) {
    const next = { ...memory, ...change }
    writeThemeMemory(next)
    setMemory(next)
    // theme.js applies themes only for signed-in people; the workbench shows all of them to everyone.
    document.documentElement.dataset.theme = next.slug
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SelectField
        label="Theme"
        labelHidden
        className="w-44"
        value={memory.slug}
        onChange={(event) => choose({ slug: event.currentTarget.value })}
        options={builtInThemes.map(({ slug, name }) => ({ value: slug, label: name }))}
      />
      <SegmentedControl<ModeChoice>
        label="Mode"
        value={memory.mode}
        onValueChange={(mode) => choose({ mode })}
        options={[
          { value: 'system', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
    </div>
  )
}
