import { Download } from 'lucide-react'
import type { DomainPerson } from '#contract/domains/people.ts'
import { saveFile } from '#web/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import type { Board } from '../board.ts'
import { drawPeople } from './draw-people.ts'
import { peopleCsv, peopleVcards } from './people-files.ts'

interface ExportMenuProps {
  board: Board
  people: readonly DomainPerson[]
  onFailed: (why: string) => void
}

/** Exports the visible people, without a server request. */
export function ExportMenu({ board, people, onFailed }: ExportMenuProps) {
  const text = (name: string, type: string, content: string) =>
    saveFile(new Blob([content], { type: `${type};charset=utf-8` }), name)

  async function picture() {
    try {
      saveFile(await drawPeople(people, board.journeys), 'keeper-people.png')
    } catch (reason) {
      onFailed(`The picture couldn’t be created. ${reason instanceof Error ? reason.message : ''}`)
    }
  }
  return (
    <Menu trigger={<Button icon={<Download aria-hidden size={14} />}>Export</Button>}>
      <MenuItem onSelect={() => text('keeper-people.csv', 'text/csv', peopleCsv(people, board.journeys))}>
        Spreadsheet (CSV)
      </MenuItem>
      <MenuItem onSelect={() => text('keeper-people.vcf', 'text/vcard', peopleVcards(people))}>
        Contacts (vCard)
      </MenuItem>
      <MenuItem onSelect={picture}>Picture of the canvas (PNG)</MenuItem>
    </Menu>
  )
}
