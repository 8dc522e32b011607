import { useViewportClass } from '#web/ui/hooks/use-viewport-class.ts'
import { BoardFields, ColorField } from './board-fields.tsx'

export function SettingsPanel() {
  const isPhone = useViewportClass() === 'phone'

  return (
    <div className="flex flex-col gap-6 px-3.5 py-3.5 text-ui">
      <section aria-labelledby="board-information" className="flex flex-col gap-3">
        <h3 id="board-information" className="font-sans text-ui font-semibold tracking-normal">
          Board Information
        </h3>
        <BoardFields hasMode={isPhone} />
      </section>
      <section aria-labelledby="board-theme" className="flex flex-col gap-3">
        <h3 id="board-theme" className="font-sans text-ui font-semibold tracking-normal">
          Theme
        </h3>
        <ColorField name="primaryColor" label="Primary color" />
        <ColorField name="backgroundColor" label="Background color" />
      </section>
      <section aria-labelledby="getting-started" className="flex flex-col gap-2">
        <h3 id="getting-started" className="font-sans text-ui font-semibold tracking-normal">
          Getting Started
        </h3>
        <ol className="flex list-decimal flex-col gap-1.5 ps-4 text-muted-foreground marker:tabular-nums">
          <li>Name the board and say what it’s for.</li>
          <li>Drag frames from the Frame Library onto the canvas.</li>
          <li>Select a frame and open its settings.</li>
          <li>Choose a layout and check it under Preview.</li>
          <li>Save.</li>
        </ol>
      </section>
    </div>
  )
}
