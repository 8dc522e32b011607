import type { ForeignImportKind } from '#contract/keepers/transfer.ts'

interface ExportGuide {
  name: string
  steps: string
}

/** Where each app hides its export. */
export const exportGuides: Record<ForeignImportKind, ExportGuide> = {
  'day-one': {
    name: 'Day One',
    steps: 'In Day One, open Settings, Import/Export, Export, and choose JSON. Keep the zip as it is.',
  },
}

/** Keeper recognizes each format by its content. */
export function ExportGuideList() {
  return (
    <details className="mb-4 rounded-md border border-border bg-card px-4 py-2.5">
      <summary className="cursor-pointer text-ui font-medium">Where do I find my export?</summary>
      <dl className="mt-2 grid gap-2.5 text-ui">
        {Object.entries(exportGuides).map(([kind, { name, steps }]) => (
          <div key={kind}>
            <dt className="font-medium">{name}</dt>
            <dd className="text-muted-foreground">{steps}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
