import { KeeperFrame } from '../keeper-frame.tsx'
import { TopicsSection } from './topics-section.tsx'

export function TopicsPage() {
  return <KeeperFrame pageName="Topics">{(keeper) => <TopicsSection key={keeper.id} keeper={keeper} />}</KeeperFrame>
}
