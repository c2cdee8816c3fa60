import { topicWork } from './alerts/work.ts'
import { pushWork } from './pushes/work.ts'

export const notificationSweepRules = [topicWork.sweepRule, pushWork.sweepRule]
