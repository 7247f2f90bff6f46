/**
 * The Chinese counterpart of en.events.js: the same keys, the same parameters.
 * @type {Record<string, string>}
 */
export default {
  "event.process.crashed": "{node} 崩溃；已写入的数据仍在页缓存中。",
  "event.process.halted":
    "{node} 停机：{partition} 的日志比 leader 的长，而 unclean election 又没有开启。",
  "event.controller.gone": "控制器 broker {broker} 不在了：它在 ZooKeeper 中的节点随会话消失。",
  "event.controller.elected":
    "broker {broker} 最先创建了控制器节点：它就是控制器，controller epoch 为 {epoch}。",
  "event.records.processed": "{node} 处理完 {partition} 的 {records} 条记录。",
  "event.group.failed": "{node}：消费组 {group} 的协调者回答 {error}。",
  "event.consumer.follower": "{node} 被告知从自己机架的 broker {replica} 读取 {partition}。",
  "event.process.poweredOff": "{node} 断电；{lost} 条未落盘的记录丢失。",
  "event.process.stopping": "{node} 收到正常停机请求。",
  "event.process.stopped": "{node} 已正常停机。",
  "event.process.starting": "{node} 正在启动。",
  "event.log.recovered": "{node} 重新读取 {partition}：从恢复点 {recovery_point} 到 {end}。",
  "event.process.running": "{node} 已运行，开始服务客户端。",
  "event.process.paused": "{node} 进入长时间停顿（如 GC）。",
  "event.process.resumed": "{node} 停顿结束，继续运行。",
  "event.disk.wiped": "{node} 换上了一块空磁盘。",
  "event.log.cut": "{node} 丢失 {partition} 中从位移 {from} 起的 {count} 条记录。",
  "event.link.cut": "{from} 到 {to} 的链路被切断。",
  "event.link.healed": "{from} 到 {to} 的链路恢复。",
  "event.link.slowed": "{from} 到 {to} 的单程延迟变为 {latency}。",
  "event.disk.slowed": "broker {broker} 每次写盘多花 {delay}。",
  "event.message.dropped": "消息 {message} 被丢弃。",
  "event.message.delayed": "消息 {message} 被延迟 {by}。",
  "event.message.duplicated": "消息 {message} 被重复投递。",
  "event.action.void": "对 {node} 执行“{action}”没有作用（{state}）。",
  "event.message.lost": "{node} 发往 {to} 的 {message} 没有送达。",
  "event.controller.activated": "控制器激活；所有 broker 的会话重新计时。",
  "event.broker.registered":
    "broker {broker} 完成注册，broker epoch 为 {broker_epoch}；上次停机方式：{shutdown}。",
  "event.broker.registrationRefused": "broker {broker} 的注册被拒绝：{error}。",
  "event.broker.sessionExpired": "broker {broker} 已静默 {silent}：会话超时。",
  "event.broker.fenced": "控制器隔离（fence）了 broker {broker}：它不能当主副本，也不能在 ISR 中。",
  "event.broker.fenced.zookeeper":
    "broker {broker} 的会话结束，它在 ZooKeeper 中的节点随之消失：控制器视它为已死。",
  "event.broker.registered.zookeeper": "broker {broker} 在 ZooKeeper 中创建了自己的节点。",
  "event.broker.unfenced": "控制器解除了对 broker {broker} 的隔离：它可以重新当主副本并加入 ISR。",
  "event.broker.controlledShutdown": "broker {broker} 请求停机；先迁走它的主副本。",
  "event.topic.created": "创建 topic {topic}，共 {partitions} 个分区。",
  "event.partition.created": "在 broker {replicas} 上创建 {partition}；broker {leader} 为主副本。",
  "event.leader.elected":
    "broker {leader} 从 ISR 中当选 {partition} 的主副本，epoch 为 {epoch}；ISR 现为 {isr}。",
  "event.leader.fromElr":
    "broker {leader} 从 ELR 中当选 {partition} 的主副本，epoch 为 {epoch}；不会因此丢失记录。",
  "event.leader.lastKnown":
    "最后已知的主副本 broker {leader} 接管 {partition}，epoch 为 {epoch}：ISR 与 ELR 均为空。",
  "event.leader.unclean":
    "非干净（unclean）选举：broker {leader} 成为 {partition} 的主副本，epoch 为 {epoch}，它可能缺少已提交的记录。",
  "event.leader.epochRaised":
    "broker {leader} 继续担任 {partition} 的主副本，新的 epoch 为 {epoch}。",
  "event.leader.none":
    "{partition} 没有主副本：没有副本有资格。epoch {epoch}，ISR {isr}，ELR {elr}。",
  "event.isr.shrunk": "{partition} 的 ISR 由 {was} 收缩为 {isr}。",
  "event.isr.expanded": "{partition} 的 ISR 由 {was} 扩大为 {isr}。",
  "event.elr.changed": "{partition} 的 ELR 由 {was} 变为 {elr}。",
  "event.alterPartition.refused":
    "控制器拒绝了 broker {from} 对 {partition} 的 ISR 变更：{error}。",
  "event.reassignment.started": "{partition} 开始重分配：新增 {adding}，移除 {removing}。",
  "event.reassignment.completed": "{partition} 重分配完成；副本为 {replicas}。",
  "event.reassignment.cancelled": "{partition} 的重分配被取消；副本为 {replicas}。",
  "event.setting.changed": "{scope} 的 {name} 现为 {value}。",
  "event.command.answered": "命令 {command} 的结果：{error}。",
  "event.replica.leads":
    "{node} 开始担任 {partition} 的主副本，epoch 为 {epoch}，起始位移 {start}。",
  "event.replica.follows": "{node} 开始在 {partition} 上跟随 broker {leader}，epoch 为 {epoch}。",
  "event.replica.leaderless": "{node} 得知 {partition} 没有主副本（epoch {epoch}）。",
  "event.state.refused":
    "{node} 拒绝了 {partition} 的状态（leader epoch {epoch}），它早已知道：{error}。",
  "event.controller.refused": "{node} 不听从 epoch 为 {epoch} 的控制器，它已被取代：{error}。",
  "event.replica.deleted": "{node} 删除了 {partition} 的副本。",
  "event.log.appended": "主副本 {node} 向 {partition} 追加位移 {first..last}，epoch 为 {epoch}。",
  "event.log.replicated": "{node} 追加了从 broker {leader} 拉取的 {partition} 位移 {first..last}。",
  "event.log.truncated": "{node} 截断 {partition} 的 {count} 条记录：日志末端由 {from} 退到 {to}。",
  "event.log.truncatedFully":
    "{node} 丢弃 {partition} 的全部 {count} 条记录，从 {start} 重新开始。",
  "event.log.rolled": "{node} 在位移 {base} 处为 {partition} 新建日志段。",
  "event.log.flushed": "{node} 已将 {partition} 刷盘到位移 {to}。",
  "event.hw.checkpointed": "{node} 将高水位写入磁盘（{partitions} 个分区）。",
  "event.recoveryPoint.checkpointed": "{node} 将恢复点写入磁盘（{partitions} 个分区）。",
  "event.hw.advanced": "{partition} 的高水位从 {from} 升到 {to}：所有计入的副本都已有其下的记录。",
  "event.hw.held":
    "{partition} 的高水位停在 {hw}：只有 {isrSize} 个副本同步（{isr}），少于 min.insync.replicas = {min_isr}。",
  "event.hw.followed": "{node} 从主副本得知 {partition} 的高水位为 {to}（之前为 {from}）。",
  "event.follower.progressed":
    "主副本 {node} 得知 broker {follower} 的 {partition} 已到 {to}（之前为 {from}）。",
  "event.fetch.diverged":
    "broker {follower} 被告知它的 {partition} 日志与主副本分叉：epoch {epoch} 结束于 {end}。",
  "event.fetch.outOfRange":
    "broker {follower} 请求 {partition} 的位移 {offset}，主副本没有这个位移。",
  "event.fetch.failed": "{node} 未能从 broker {leader} 拉取 {partition}：{error}。",
  "event.fetcher.disconnected": "{node} 与主副本 broker {leader} 的连接断开。",
  "event.isr.shrinkProposed": "{node} 请求将 {out} 移出 {partition} 的 ISR：落后已超过 {lag}。",
  "event.isr.expandProposed":
    "{node} 请求将 broker {replica} 加入 {partition} 的 ISR：它已追上高水位 {hw}。",
  "event.isr.committed": "主副本 {node} 采用了 {partition} 已存储的 ISR：{isr}。",
  "event.isr.rejected": "{node} 对 {partition} 的 ISR 变更请求未生效：{error}。",
  "event.produce.refused": "{node} 拒绝写入 {partition}：{error}。",
  "event.produce.refused.NOT_ENOUGH_REPLICAS":
    "{node} 拒绝写入 {partition}：{error}。只有 {isrSize} 个副本同步（{isr}），而 acks=all 需要 min.insync.replicas = {min_isr} 个。",
  "event.produce.waits": "{node} 暂不应答，等 {partition} 的高水位到达 {required}。",
  "event.produce.answered": "{node} 应答 acks={acks}：{partition} 自位移 {first} 起的记录已写入。",
  "event.produce.failed": "{node} 应答 {error}，但记录已在它的 {partition} 日志中。",
  "event.produce.timedOut": "{node} 等待 {partition} 的高水位 {required} 超时；记录仍留在日志中。",
  "event.produce.duplicate": "{node} 识别出重复批次：它已在 {partition} 的位移 {first} 处。",
  "event.connection.closed": "{node} 关闭了 {client} 的连接：acks=0 时没有别的办法报告错误。",
  "event.record.queued": "{node} 接到发往 {partition} 的记录 {record}。",
  "event.batch.sent": "{node} 向 {partition} 发送 {records} 条记录（第 {attempt} 次）。",
  "event.batch.acked": "{node} 得到确认：{partition} 自位移 {first} 起的 {records} 条记录已写入。",
  "event.batch.assumed": "{node} 认为 {partition} 的 {records} 条记录已写入：acks=0 时没有应答。",
  "event.batch.retried":
    "{node} 发送 {partition} 的 {records} 条记录得到 {error}，将重试（第 {attempt} 次）。",
  "event.batch.split":
    "{partition} 的 {records} 条记录作为一个批次超过该主题的上限：{node} 将其拆成 {pieces} 个批次重新发送。",
  "event.batch.failed": "{node} 放弃 {partition} 的 {records} 条记录：{error}。",
  "event.request.timedOut": "{node} 未在限时内收到 broker {broker} 的应答。",
  "event.connection.lost": "{node} 与 broker {broker} 的连接断开。",
  "event.connection.notMade": "{node} 未能在限时内连上 broker {broker}。",
  "event.send.failed": "{node} 无法向 {topic} 发送 {records} 条记录：{error}。",
  "event.metadata.learnt": "{node} 得知 {partition} 的主副本是 broker {leader}。",
  "event.metadata.leaderless": "{node} 得知 {partition} 没有主副本。",
  "event.producer.idAssigned": "{node} 获得 producer id {producer_id}，epoch {epoch}。",
  "event.records.read": "{node} 读取了 {partition} 的位移 {first..last}。",
  "event.position.reset": "{node} 在 {partition} 的位置由 {from} 移到 {to}（{policy}）。",
  "event.consumer.truncation":
    "{node} 发现它在 {partition} 的位置 {position} 超出新主副本的末端：{end}。",
  "event.consumer.failed": "{node} 无法读取 {partition}：{error}。",
  "event.offset.committed": "{node} 提交了 {partition} 的位移 {offset}。",
  "event.group.assigned":
    "{node} 在消费组 {group} 的第 {generation} 代中分到 {partitions} 个分区。",
  "event.group.memberExpired":
    "{node} 在会话时限内没有收到 {client} 的心跳：消费组 {group} 不再等它。",
  "event.audit.ackedLost": "记录 {record} 已被确认却丢失了（{partition} 位移 {offset}）。",
  "event.audit.lost": "记录 {record} 丢失（{partition} 位移 {offset}）；它从未被确认。",
  "event.audit.found": "记录 {record} 重新出现在主副本中（{partition} 位移 {offset}）。",
  "event.audit.duplicated": "记录 {record} 在 {partition} 中出现两次，再次位于位移 {offset}。",
  "event.audit.reordered": "记录 {record} 排在比它后发送的记录之后（{partition} 位移 {offset}）。",
  "event.audit.broken": "性质 {property} 在 {partition} 上被破坏。",

  "property.I1": "在所有副本的高水位以下，各副本的日志完全一致。",
  "property.I2": "acks=all 确认过的记录，任何单个进程崩溃都不会丢失。",
  "property.I3": "在任主副本的高水位从不后退。",
  "property.I4": "主副本在 ISR 中；ISR 与 ELR 不相交；只有低于最小 ISR 时才有 ELR。",
  "property.I5": "leader epoch 随每次任期递增；每个 epoch 至多一个主副本。",
  "property.I6": "每个副本上：日志起点 ≤ 高水位 ≤ 日志末端，恢复点 ≤ 日志末端。",
  "property.I7": "幂等生产者的每条记录在已提交日志中至多出现一次，且有序。",
  "property.committed": "有记录被提交。",
  "property.refused": "有写入因同步副本不足被拒绝。",
  "property.isr-shrunk": "有 ISR 收缩。",
  "property.isr-expanded": "有 ISR 扩大。",
  "property.elected": "选出过新的主副本。",
  "property.truncated": "有日志被截断。",
  "property.lost": "有记录丢失。",
};
