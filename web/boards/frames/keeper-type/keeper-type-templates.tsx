import { sampleTemplates } from '#contract/samples/sample-keeper-type.ts'
import { TypeTemplates } from '#web/keepers/types/type-templates.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { WithKeeperType } from './with-keeper-type.tsx'

export function KeeperTypeTemplatesFrame(props: FrameBodyProps) {
  return (
    <WithKeeperType {...props}>
      {(type, isSample) => (
        <div className="px-3.5 py-3">
          {isSample ? (
            <ul aria-label="Engagement templates">
              {sampleTemplates.map(({ id, label, type: kind }) => (
                <li key={id} className="flex items-center gap-2 border-t border-hairline py-2 first:border-t-0">
                  <span className="min-w-0 grow font-serif text-lead wrap-anywhere">{label}</span>
                  <Badge tone="outlined">{kind}</Badge>
                </li>
              ))}
            </ul>
          ) : (
            <TypeTemplates type={type} />
          )}
        </div>
      )}
    </WithKeeperType>
  )
}
