import { Badge } from '#web/ui/panels/badge.tsx'
import { KeeperTypeSettings } from '../config-keeper-type.tsx'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { getFrameKey } from '../frame-key.ts'
import { WithKeeperType } from './with-keeper-type.tsx'

export function KeeperTypeIdentityFrame(props: FrameBodyProps) {
  return (
    <WithKeeperType {...props}>
      {(type, isSample) => (
        <div className="flex flex-col gap-3 px-3.5 py-3">
          {isSample ? (
            <>
              <p className="font-serif text-[20px] leading-[26px] font-medium wrap-anywhere">{type.name}</p>
              <p>
                <Badge tone="outlined">{type.memoryPattern}</Badge>
              </p>
              <p className="text-ui text-muted-foreground">{type.description}</p>
            </>
          ) : (
            <KeeperTypeSettings
              id={type.id}
              frameKey={getFrameKey(props.context.boardId, props.frame.id)}
              onChooseAnother={props.openSettings}
            />
          )}
        </div>
      )}
    </WithKeeperType>
  )
}
