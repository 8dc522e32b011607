import { Download } from 'lucide-react'
import type { DomainPerson } from '#contract/domains/people.ts'
import { saveFile } from '#web/files/save-file.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import type { PeopleBoardData } from '../people-board-data.ts'
import { drawPeople } from './draw-people.ts'
import { toPeopleCsv, toPeopleVcards } from './people-files.ts'

interface PeopleExportMenuProps {
  board: PeopleBoardData
  people: readonly DomainPerson[]
  onFailed: (reason: string) => void
}

export function PeopleExportMenu({ board, people, onFailed }: PeopleExportMenuProps) {
  const saveText = (name: string, type: string, content: string) =>
    saveFile(new Blob([content], { type: `${type};charset=utf-8` }), name)

  async function savePicture() {
    try {
      saveFile(await drawPeople(people, board.journeys), 'keeper-people.png')
    } catch (reason) {
      onFailed(`The picture couldn’t be created. ${reason instanceof Error ? reason.message : ''}`)
    }
  }
  return (
    <Menu trigger={<Button icon={<Download aria-hidden size={14} />}>Export</Button>}>
      <MenuItem onSelect={() => saveText('keeper-people.csv', 'text/csv', toPeopleCsv(people, board.journeys))}>
        Spreadsheet (CSV)
      </MenuItem>
      <MenuItem onSelect={() => saveText('keeper-people.vcf', 'text/vcard', toPeopleVcards(people))}>
        Contacts (vCard)
      </MenuItem>
      <MenuItem onSelect={savePicture}>Picture of the canvas (PNG)</MenuItem>
    </Menu>
  )
}
