import type { ForeignImportKind } from '#contract/keepers/transfer.ts'

interface ExportGuide {
  name: string
  steps: string
}

/** Instructions for exporting from each app. */
export const exportGuides: Record<ForeignImportKind, ExportGuide> = {
  'day-one': {
    name: 'Day One',
    steps: 'Open Settings, Import/Export, Export, and choose JSON. Keep the zip as it is.',
  },
  'apple-journal': {
    name: 'Apple Journal',
    steps: 'On your iPhone, open Settings, Apps, Journal, Export All Entries. Choose the folder here, or a zip of it.',
  },
  chatgpt: {
    name: 'ChatGPT',
    steps:
      'Open Settings, Data controls, Export data. The link can take up to 7 days to arrive by email and works for 24 hours. Conversations become sources: no agent reads them, and nothing in them is memory until you keep it.',
  },
  claude: {
    name: 'Claude',
    steps:
      'Open Settings, Privacy, Export data. The link arrives by email. Conversations become sources, as with ChatGPT.',
  },
  markdown: {
    name: 'Obsidian, Logseq or a Markdown folder',
    steps: 'Choose the folder of your vault or graph, or a zip of it. Attachments and links between notes come along.',
  },
  notion: {
    name: 'Notion',
    steps: 'Open Settings, General, Export all workspace content, and choose Markdown & CSV or HTML with subpages.',
  },
  'google-keep': {
    name: 'Google Keep',
    steps: 'On takeout.google.com, deselect all, select Keep, and export as .zip.',
  },
  daylio: {
    name: 'Daylio',
    steps:
      'Open More, Backup & Restore, Advanced options, Export, and choose the .daylio file. A CSV export has no pictures.',
  },
  diarium: {
    name: 'Diarium',
    steps: 'Open Settings, Export, choose JSON, and pack the file with its media into a zip.',
  },
  journiv: { name: 'Journiv', steps: 'Open Settings, Export, and choose the full export as a zip.' },
  memos: {
    name: 'memos',
    steps:
      'memos has no export file. Import notes from your server below, or save the responses of /api/v1/memos as .json files and choose them together with the attachments.',
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
