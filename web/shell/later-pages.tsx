import { LaterPage } from './later-page.tsx'

/** Places that have their address already. Each leaves this list when its page is built. */
export const laterPages = {
  boardDemo: (
    <LaterPage title="Board Demo" drawing="frames">
      A board to try without an account will stand here, with every frame type and layout.
    </LaterPage>
  ),
  journeyBoard: (
    <LaterPage title="Journey Board" drawing="path">
      A journey laid out as frames, to read and to rearrange.
    </LaterPage>
  ),
  keeperTypeBoard: (
    <LaterPage title="Keeper Type Board" drawing="frames">
      Make a keeper type in five steps, or on a canvas.
    </LaterPage>
  ),
  library: (
    <LaterPage title="Documents">Documents you put here stay in this browser and are never sent anywhere.</LaterPage>
  ),
}
