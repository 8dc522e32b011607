import {
  Activity,
  Code,
  Eye,
  Feather,
  Flag,
  Gift,
  Globe,
  Image,
  LayoutTemplate,
  Lightbulb,
  ListChecks,
  type LucideIcon,
  MapPin,
  MessagesSquare,
  Network,
  Route,
  Shapes,
  Shield,
  SlidersHorizontal,
  Square,
  Stamp,
  Users,
  Waypoints,
} from 'lucide-react'

const icons: Record<string, LucideIcon> = {
  image: Image,
  eye: Eye,
  code: Code,
  messages: MessagesSquare,
  'list-checks': ListChecks,
  sliders: SlidersHorizontal,
  stamp: Stamp,
  users: Users,
  shield: Shield,
  network: Network,
  activity: Activity,
  globe: Globe,
  gift: Gift,
  route: Route,
  flag: Flag,
  feather: Feather,
  'map-pin': MapPin,
  lightbulb: Lightbulb,
  shapes: Shapes,
  'layout-template': LayoutTemplate,
  waypoints: Waypoints,
}

/** Unknown names show an empty square. */
export function FrameIcon({ name, size = 15 }: { name: string; size?: number }) {
  const Icon = (Object.hasOwn(icons, name) && icons[name]) || Square
  return <Icon aria-hidden size={size} strokeWidth={1.75} />
}
