import { Braces, File, FilePen, FileText, FileType } from 'lucide-react'
import { classNames } from '#web/ui/hooks/class-names.ts'
import type { DocumentType } from './documents.ts'

const typeStyles: Record<DocumentType, { Icon: typeof File; colors: string }> = {
  pdf: { Icon: FileText, colors: 'bg-chart4/15 border-chart4/45 text-chart4' },
  json: { Icon: Braces, colors: 'bg-chart1/15 border-chart1/45 text-chart1' },
  markdown: { Icon: FilePen, colors: 'bg-chart5/15 border-chart5/45 text-chart5' },
  text: { Icon: FileType, colors: 'bg-chart3/15 border-chart3/45 text-chart3' },
  other: { Icon: File, colors: 'bg-chart2/15 border-chart2/45 text-chart2' },
}

export function DocumentIcon({ type, small = false }: { type: DocumentType; small?: boolean }) {
  const { Icon, colors } = typeStyles[type]
  return (
    <span
      aria-hidden
      className={classNames(
        'grid shrink-0 place-items-center rounded-[2px] rounded-se-lg border',
        small ? 'h-8 w-7' : 'h-11 w-[38px]',
        colors,
      )}
    >
      <Icon size={small ? 14 : 18} />
    </span>
  )
}
