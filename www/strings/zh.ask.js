/**
 * 关于集群提问的文字，与 en.ask.js 的键相同。
 * @type {Record<string, string>}
 */
export default {
  "ask.about":
    "把手头的内容粘贴进来：kafka-topics --describe 的输出、server.properties，以及 properties、YAML、compose 文件或代码里的生产者与消费者配置、日志行。内容不会离开本页面。",
  "ask.text": "你的内容",
  "ask.answer": "按 Kafka {release} 回答",
  "ask.examples": "或者看一个例子：",
  "ask.example.config": "配置",
  "ask.example.describe": "topic 描述",
  "ask.nothing":
    "没有认出任何内容：既没有 topic 描述，也没有 Kafka 认识的配置，也没有已知的日志行。",
  "config.found": "{count} 项发现",
  "config.none": "读到的配置没有问题。文本中没有写的配置按默认值处理。",
  "config.unit": "第 {line} 行起：{owner}的 {count} 项配置",
  "config.unitGuessed": "第 {line} 行起：{count} 项配置，从名称看属于{owner}",
  "config.translated":
    "这些是 {client} 的配置名，已换成 Kafka 的名称；已知默认值不同之处按 {client} 的默认值处理。场景用 Java 客户端运行，时间上可能有差别。",
  "config.byDefault": "未设置：默认值",
  "config.change": "如何改正：",
  "config.out": "去掉 {name}",
  "config.show": "演示它如何发生",
  "config.showMended": "改正后的同一场景",
  "config.noProof": "模型中没有对应的场景。",
  "owner.broker": "broker",
  "owner.topic": "topic",
  "owner.producer": "生产者",
  "owner.Scala producer": "Scala 生产者",
  "owner.consumer": "消费者",
  "harm.refused": "无法启动",
  "harm.loses": "可能丢失",
  "harm.duplicates": "可能重复",
  "harm.reorders": "可能乱序",
  "harm.stopsWrites": "一处故障即停摆",
  "harm.failover": "撑不过主副本切换",
  "harm.nothing": "不起作用",
  "harm.unknown": "该版本没有",
  "harm.misspelt": "拼写有误",
  "finding.refused": "Kafka 会拒绝：“{says}”",
  "finding.invalid": "Kafka 会拒绝：“{says}”。可接受：{accepted}。",
  "finding.acks.none":
    "acks=0 时 {client} 客户端不等任何响应：途中无论出什么错，记录都会丢失，而且没有报错。",
  "finding.acks.leader":
    "acks=1 时，确认的那一刻只有主副本有这条记录。如果它在 follower 拉取之前宕机，记录就没了。",
  "finding.acks.some": "acks={acks} 只等这么多个副本，不管是哪些：有记录的副本未必是会当选的副本。",
  "finding.idempotence.off": "幂等性被关闭：响应丢失的批次会重发，在日志中出现两次。",
  "finding.idempotence.gaveWay":
    "没有人关闭幂等性，但 {setting} 使它悄悄失效。响应丢失的批次会重发，在日志中出现两次。",
  "finding.idempotence.default":
    "没有设置 enable.idempotence，而 {client} 客户端在这里默认不开启：响应丢失的批次会重发，在日志中出现两次。",
  "finding.order.retries":
    "最多有 {inFlight} 个请求同时在途，失败的又会重发：后面的批次可能先写入。",
  "finding.retries.none": "{client} 客户端不会重试：主副本宕机时正在途中的请求就失败了。",
  "finding.delivery.short":
    "记录过 {given} 毫秒就被放弃，而宕机的主副本要等 {session} 毫秒的会话结束后才会被替换。",
  "finding.retries.unused": "acks=0 时客户端听不到任何错误，也就没有什么可以重试。",
  "finding.minIsr.unused":
    "min.insync.replicas={minIsr} 只对 acks=all 有效；acks={acks} 时，这个生产者并不要求它。",
  "finding.minIsr.one":
    "min.insync.replicas=1 时，其他副本离开 ISR 之后，连 acks=all 也只需主副本一个：只有一份，全靠它的磁盘。",
  "finding.minIsr.default":
    "没有设置 min.insync.replicas，默认值是 1：其他副本离开 ISR 之后，连 acks=all 也只需主副本一个。",
  "finding.minIsr.topicOnly":
    "在 0.8.2 中 broker 的值不算数：只有 topic 自己的 min.insync.replicas 才算。",
  "finding.minIsr.more":
    "min.insync.replicas={minIsr} 大于副本数 {replicas}：acks=all 总是被拒绝。",
  "finding.minIsr.all":
    "min.insync.replicas={minIsr} 要求 {replicas} 个副本全部同步：只要有一个宕机或变慢，acks=all 就被拒绝。",
  "finding.unclean.on": "缺少已确认记录的副本也可以当选；它缺少的就没了。",
  "finding.unclean.default": "这个版本默认允许 unclean 选举：缺少已确认记录的副本也可以当选。",
  "finding.replicas.one": "{name}=1：只有一份。它的 broker 宕机期间无法读写，磁盘没了就全没了。",
  "finding.offsets.one":
    "{name}=1：消费组的位移只在一个 broker 上。它宕机期间，这些组无法提交也无法启动；磁盘没了，位移也就没了。",
  "finding.transactions.one":
    "{name}=1：事务状态只在一个 broker 上。它宕机期间，相关的生产者无法继续。",
  "finding.transactions.minIsr": "{name}=1：事务状态可能只由一个 broker 确认，并随它一起丢失。",
  "finding.shutdown.uncontrolled":
    "broker 停止时不移交任何分区：在被发现之前，这些分区没有主副本。",
  "finding.disk.temporary": "许多系统在启动时会清空 {folder}：broker 回来时，记录都不在了。",
  "finding.reset.latest":
    "没有已提交的位移时，这个消费者从末尾开始：已经在那里的记录，以及它第一次拉取之前写入的记录，都会被跳过。",
  "finding.commit.auto":
    "位移每隔几秒提交一次：在两次之间宕机，就会重新读取已经处理过的记录。如果在另一个线程里处理，还可能在处理完之前就提交。",
  "finding.isolation.uncommitted":
    "第 {line} 行的生产者使用事务，而这个消费者按 read_uncommitted 读取：它也会看到被中止、随后重写的记录。",
  "finding.given.twice": "{name} 在第 {line} 行又设置了一次；最后一个值才算数，这个不算。",
  "finding.name.misplaced": "{name} 是{other}的配置；写在{owner}的配置里没有人读它。",
  "finding.name.removed": "Kafka {release} 已没有 {name}：在这些版本中，{known} 是最后一个有它的。",
  "finding.name.later": "Kafka {release} 还没有 {name}：在这些版本中，{known} 是第一个有它的。",
  "finding.name.unknown":
    "这些版本的 Kafka 都没有名为 {name} 的{owner}配置。如果是你的插件在读它，那就与 Kafka 无关。",
  "finding.name.meant": "没有 {name} 这个配置，多半是想写 {meant}。",
  "finding.name.meantElsewhere":
    "没有 {name} 这个配置，多半是想写 {meant}，而那是{other}的配置，不是{owner}的。",
  "log.title": "{count} 种日志行",
  "log.led": "常见原因：",
  "log.lines": "第 {lines} 行",
  "log.show": "演示它如何发生",
  "log.unknown": "这些日志行不在已知之列，不作解释：第 {lines} 行。",
  "ask.example.log": "日志行",
  "story.lossAfterUnclean":
    "合起来看：ISR 成员都不在线，选了 ISR 之外的副本，其他副本随即丢弃了它所缺的部分。已确认的记录丢失了。",
  "story.belowMinIsr":
    "合起来看：ISR 缩到 min.insync.replicas 以下，于是 acks=all 被拒绝，直到有 follower 回到 ISR。这本身不丢数据。",
  "story.gaveUp":
    "合起来看：分区长时间无法写入，生产者放弃了。失败的记录是否已在日志中，只能到日志里看。",
  "story.leaderDied":
    "合起来看：主副本所在的 broker 失联，ISR 的另一个成员接任。客户端会自行找到它；acks=all 确认过的记录都在。",
  "story.deposed":
    "合起来看：一个已被取代的 broker 还以为自己是主副本。它不能再修改 ISR；此后以 acks=1 确认的记录，在它改为跟随时丢失。",
  "story.recovered": "合起来看：broker 非正常结束后恢复，校验了可能未落盘的部分。",
  "story.cleanStop": "合起来看：broker 被有意停止。领导权先行转移；前后出现的重试是正常的。",
  "story.flaps":
    "合起来看：follower 离开 ISR 又回来。一次可能是重启；反复出现说明 broker、磁盘或网络已到极限，或 replica.lag.time.max.ms 太短。",
  "story.slowReader":
    "合起来看：成员被移出消费组，其分区由其他成员分担。它已读但未提交的会被重读。",
  "story.truncatedReturn":
    "合起来看：broker 恢复后成为 follower，截掉了主副本没有的部分。只要不低于高水位，其中没有任何 acks=all 已确认的记录。",
  "log.isr.shrinking":
    "主副本把超过 replica.lag.time.max.ms 仍未追上的 follower 移出 ISR。此后 acks=all 不再等它们。",
  "log.isr.expanding": "follower 已追上高水位，主副本把它重新纳入 ISR。",
  "log.isr.updated":
    "新的 ISR 已提交：controller（或 ZooKeeper）接受了它。带有“(under-min-isr)”表示它小于 min.insync.replicas，acks=all 会被拒绝。",
  "log.isr.cachedVersion":
    "自本主副本读取之后，有别人改写了分区状态，通常是 controller 选出了新的主副本。它不能再修改 ISR。如果这行一直重复，说明该 broker 漏掉了一个 LeaderAndIsr 请求（KAFKA-2729），重启可解决。",
  "log.isr.alterFailed":
    "controller 没有接受主副本提议的 ISR。已提交的 ISR 保持不变；主副本得知最新状态后会再次提议。",
  "log.isr.rejected":
    "controller 拒绝了一次 ISR 变更：请求者已不是主副本，或依据的 epoch 已过时，或包含了被隔离、正在关闭或刚重启的 broker。",
  "log.replica.leads":
    "从现在起，本 broker 是该分区的主副本。它保留全部日志，包括高水位之上的部分。",
  "log.replica.follows": "本 broker 成为该分区的 follower。拉取之前，它会截掉新主副本没有的部分。",
  "log.replica.skipLeader": "该 broker 在这个 epoch 下已是主副本，或已知道更新的状态：无须处理。",
  "log.replica.skipFollower":
    "该 broker 在这个 epoch 下已是 follower，或已知道更新的状态：无须处理。",
  "log.replica.leaderUnavailable":
    "controller 指定的主副本，在本 broker 看来并不存活。在再次收到该分区的消息之前，它不会拉取。",
  "log.hw.initial":
    "broker 启动，从检查点文件读取高水位。它可能是几秒之前的；主副本的下一次响应会更正它。",
  "log.hw.nonMonotonic":
    "高水位下降了。选举之后新主副本的高水位较低，或发生截断时，会出现这种情况；后续拉取会让它重新上升。",
  "log.produce.notEnough":
    "主副本在追加之前就拒绝了 acks=all 的写入：同步的副本少于 min.insync.replicas 的要求。",
  "log.produce.retrying":
    "一个批次返回了可能会消失的错误，将重发。没有幂等性时，它可能写入两次，或排到后面的批次之后。",
  "log.produce.notEnoughRetry":
    "生产者要求 acks=all，而同步的副本少于 min.insync.replicas。它会一直重试，直到副本足够或 delivery.timeout.ms 到期。若写明 AFTER_APPEND，则记录其实已在日志中；除非开启幂等性，重试会再写一次。",
  "log.produce.invalidMetadata":
    "生产者请求的 broker 已不是该分区的主副本，或不知道该分区。它会查询新的主副本并重发。",
  "log.produce.expired":
    "记录等待超过 delivery.timeout.ms（2.0 及以前为 request.timeout.ms）而失败。它们仍可能已写入：没有响应的那次尝试什么也说明不了。",
  "log.produce.noMetadata":
    "send() 等待 topic 元数据超过 max.block.ms 后放弃：topic 不存在、分区不存在，或没有可询问的 broker。",
  "log.produce.memory":
    "生产者的 buffer.memory 已满：写入快于 broker 的确认。send() 为等待空间阻塞了 max.block.ms。",
  "log.produce.tooLarge":
    "记录大于生产者的 max.request.size 或 topic 的 max.message.bytes。不会重试。",
  "log.produce.timedOut":
    "主副本已追加该批次，但 ISR 的其他成员未能及时拉取。记录留在日志中，之后仍可能提交。",
  "log.produce.notLeader":
    "被请求的 broker 不是（或已不是）该分区的主副本。客户端会查明并重新请求：选举前后这是正常的。",
  "log.produce.leaderNotAvailable":
    "broker 所知道的该分区没有主副本：正在选举，或有资格当选的副本都不在线。topic 刚创建时出现一次属于正常。",
  "log.sequence.outOfOrder":
    "幂等批次与 broker 上该生产者的最后一个批次不连续：中间缺了一个。要么更早的批次正在重发，随后恢复；要么已确认的记录在切换中丢失。",
  "log.sequence.error":
    "broker 拒绝了幂等生产者的序列号。若确实有缺口，则生产者以为已写入的记录已不在。",
  "log.sequence.bump":
    "有批次最终失败后，幂等生产者启用新的 epoch：序列号从 0 重新开始。之前失败内容的重复再也无法识别。",
  "log.sequence.unknownProducer":
    "broker 已忘记这个幂等生产者：它静默超过 producer.id.expiration.ms，或其记录已被清理。",
  "log.producer.fenced":
    "另一个生产者使用了同一个 transactional.id，或事务超时：本生产者不能再写入。",
  "log.producer.id": "幂等生产者得到了自己的 id：此后 broker 能识别重复发送的批次。",
  "log.producer.idempotenceOff": "有配置与幂等性冲突，使它悄悄关闭：此后重试可能造成重复和乱序。",
  "log.election.unclean":
    "ISR 的成员都不在线，而 unclean 选举已开启，于是选了 ISR 之外的副本。它缺少的已确认记录就此丢失。",
  "log.election.elr": "ISR 为空，于是选了一个 ELR 成员。它拥有全部已提交的记录：没有丢失。",
  "log.election.selected": "主副本消失后，controller 从 ISR 中选出了新的主副本。",
  "log.election.none":
    "有资格当选的副本都不在线：分区没有主副本，无法读写。它在等待 ISR 成员恢复，或 unclean 选举。",
  "log.election.preferred":
    "主副本交还给首选副本（列表中的第一个）：它在线且在 ISR 中，而当前由别的副本领导。客户端会看到一次切换。",
  "log.election.noPreferred": "首选副本现在不能当选：它不在线或不在 ISR 中。当前主副本保持不变。",
  "log.truncate.toHw":
    "由于主副本无法说明双方历史从何处分叉，follower 把日志截断到自己的高水位。若该高水位滞后，会暂时丢弃已提交的记录，随后重新拉取。",
  "log.truncate.byEpoch":
    "follower 截掉新主副本没有的部分：旧主副本写下而别人还没拉取的记录。其中 acks=all 的从未被确认。",
  "log.truncate.belowHw":
    "follower 截掉了它所知道的已提交记录。若发生过 unclean 选举，或主副本丢失了磁盘，这就是真正的丢失。",
  "log.truncate.noneNeeded": "follower 询问主副本其最后一个 epoch 的终点，无须截断。",
  "log.truncate.epochUnknown":
    "主副本与 follower 的 epoch 不同：follower 先退到双方可能都有的最后一个，再询问一次。",
  "log.truncate.unknownOffset":
    "主副本没有那么早的 epoch，follower 只好以自己的高水位或起始拉取位移为准。",
  "log.epochs.conflict": "leader epoch 文件中有与新条目矛盾的内容：它们属于已被截断的记录。",
  "log.fetcher.outOfRange":
    "follower 想从主副本没有数据的位置拉取。它改用主副本的末尾（截掉多余部分）或起点。unclean 选举之后，记录正是这样消失的。",
  "log.fetcher.error":
    "follower 无法从主副本拉取：连接断开或超时。它会退避后重试；若超过 replica.lag.time.max.ms，就会离开 ISR。",
  "log.fetcher.partitionError":
    "主副本对 follower 的拉取返回了错误。选举前后它可能已不是或还不是主副本；follower 会重试。",
  "log.fetcher.unknownPartition":
    "主副本（尚）没有或已没有该分区：刚刚创建或删除，或主副本比 follower 晚得知。",
  "log.fetcher.olderEpoch":
    "follower 依据的 leader epoch 已过时，被拒绝：它等待 controller 告知新的。",
  "log.fetcher.newerEpoch": "主副本还没有得知 follower 或客户端所知的 epoch。得知后即恢复。",
  "log.fetcher.failed": "拉取线程放弃了该分区：在收到新状态或重启之前不再复制。请看它前面的错误。",
  "log.fetcher.tooLarge": "有消息大于 follower 的拉取上限：该分区的复制停滞。0.10.1 起不再发生。",
  "log.fetcher.added": "从现在起，本 broker 上的 follower 从该主副本拉取。",
  "log.fetcher.removed":
    "这些分区的 follower 停止拉取：本 broker 成为主副本、改为跟随别人，或不再持有它们。",
  "log.stopReplica.ignored": "StopReplica 请求比 broker 所知的状态更旧，或只是重复，不予执行。",
  "log.controller.oldEpoch": "请求来自已被取代的 controller。它自己尚不知情，broker 拒绝了它。",
  "log.leaderAndIsr.ignored":
    "controller 发来的状态不比 broker 已有的更新，或该 broker 不是副本：保持不变。",
  "log.broker.fenced":
    "controller 超过 broker.session.timeout.ms 没有收到该 broker 的心跳：把它移出所有 ISR，不再领导任何分区。它可能仍在运行，只是被隔离或长时间停顿。",
  "log.broker.unfenced": "broker 已追上元数据，视为存活：可以当选，也可以加入 ISR。",
  "log.broker.registered": "broker 作为新进程完成注册。解除隔离之前，它不领导任何分区。",
  "log.broker.refused":
    "注册被拒绝：同一 id 的旧进程会话仍有效。快速重启时，会话结束后即可；否则就是两个 broker 使用了同一个 id。",
  "log.broker.heartbeatFailed":
    "broker 无法联系活动 controller。若持续一个会话时长，它虽在运行也会被隔离。",
  "log.broker.shutdownAsked": "broker 正在干净地停止：结束之前，把领导权交给 ISR 的其他成员。",
  "log.broker.shutdownDone": "领导权已全部移交，或 broker 已结束：干净停止不丢数据，也无须恢复。",
  "log.broker.shutdownFailed":
    "broker 无法移交全部领导权：有的分区 ISR 中没有别的成员。最后一次尝试后它直接结束，这些分区便没有主副本。",
  "log.session.expired":
    "本 broker 丢失了与 ZooKeeper 的会话：在别人看来它已宕机，失去领导权，然后重新注册。常见原因是长时间 GC。",
  "log.controller.brokerFailure":
    "controller 发现有 broker 消失（或新增）：为它们领导的分区选举主副本，并把它们移出 ISR。",
  "log.controller.brokerStartup": "controller 发现 broker（重新）上线：把其分区的状态发给它。",
  "log.controller.elected":
    "本 broker 成为 controller。它从 ZooKeeper 重新读取全部状态并通知所有 broker。",
  "log.controller.resigned": "本 broker 不再是 controller：会话已结束，或被别人接替。",
  "log.controller.active":
    "新的活动 controller：它回放元数据，并重新开始所有会话计时，因此宕机的 broker 会比平时更晚被发现。",
  "log.controller.renounced":
    "controller 法定人数中的角色发生变化。没有多数派时，不选举也不变更 ISR，而现有主副本的读写照常。",
  "log.recovery.unclean":
    "broker 不是干净停止的：提供服务之前，要重读并校验可能未落盘的部分。段很多时需要数分钟。",
  "log.recovery.clean": "broker 之前是干净停止的：日志无须恢复。",
  "log.recovery.segment": "正在通读恢复点之上的段：完整的保留，索引重建。",
  "log.recovery.corrupt":
    "磁盘上有不完整的批次：日志从此处截断，之后的段也删除。作为 follower 可重新拉取；若只有这一份，就是丢失。",
  "log.recovery.index": "索引缺失或损坏，正从日志重建。不会因此丢失记录。",
  "log.recovery.loaded": "日志已加载：其末尾即磁盘上有效数据的末尾。",
  "log.log.startGone": "日志被清空，从另一个位移重新开始：原有内容不再使用。",
  "log.log.rolled": "段已满或到期，开始新的段。旧段在后台刷盘。",
  "log.log.dirFailed": "磁盘故障：其上的副本离线，由别的副本接管领导。1.0 之前整个 broker 会停机。",
  "log.log.halted":
    "主副本比本 follower 的数据少，而该 topic 不允许 unclean 选举：旧版本的 broker 宁可停机也不丢弃记录。",
  "log.move.started": "副本重分配进行中：新副本复制分区后加入 ISR，之后旧副本才离开。",
  "log.move.completed": "副本重分配完成：新副本已同步，旧副本被移除。",
  "log.replica.deleted": "因重分配或删除 topic，这里不再需要该副本：其目录将被删除。",
  "log.consumer.outOfRange":
    "消费者要读的位置没有数据：已被清理，或记录丢失后超出了末尾。由 auto.offset.reset 决定：latest 会跳过，earliest 会重读。",
  "log.consumer.reset": "消费者采用 auto.offset.reset 指定的位置：没有已提交的位移，或位移越界。",
  "log.consumer.noCommit":
    "消费组在该分区还没有位移，或因超过 offsets.retention.minutes 未使用而被删除。",
  "log.consumer.truncated": "消费者脚下的日志变了：它读过的记录已不存在。它会回到分叉处。",
  "log.consumer.coordinatorGone":
    "负责该消费组的 broker（对应 __consumer_offsets 分区的主副本）已更换或无法访问。消费者正在寻找新的。",
  "log.consumer.memberFailed":
    "成员离开了消费组：session.timeout.ms 内没有心跳、max.poll.interval.ms 内没有 poll，或主动离开。其分区交给别人，未提交的会被重读。",
  "log.consumer.rebalance":
    "消费组正在重新分配分区：有成员加入、离开或过期。完成之前（经典协议下）组内停止消费。",
  "log.consumer.commitFailed": "位移没有保存成功。若成员已离开消费组，别人会重读这些记录。",
  "log.connection.refused":
    "该地址没有监听：broker 宕机、尚未启动，或 advertised.listeners 从这里无法到达。客户端会继续使用其他 broker。",
  "log.connection.timedOut":
    "broker 收到了请求或连接，却没有及时响应：停顿、过载或网络丢包。在途的内容仍可能已写入。",
  "log.connection.lost":
    "连接结束。若 broker 没有停止，单凭这一点说明不了什么：空闲连接会在 connections.max.idle.ms 后关闭。",
  "led.lagging": "某个 follower 宕机、被隔离、长时间停顿，或其磁盘、网络跟不上写入。",
  "led.caughtUp": "broker 恢复，或拖慢它的因素已消失。",
  "led.isrChange": "主副本刚刚提议了这一变更。",
  "led.zombie": "停顿或网络隔离期间，该 broker 与 controller 失联，而分区状态已变。",
  "led.staleLeader": "该 broker 已被取代或重启过，自己尚不知情。",
  "led.election": "有 broker 宕机、停止、恢复，或领导权重新平衡。",
  "led.repeated": "controller 重复发送了同一状态，例如它自身切换之后。",
  "led.staleMetadata": "变更的消息先到达了其中一方。",
  "led.restart": "broker 启动了。",
  "led.truncation": "领导权变更时，尚有数据未复制完。",
  "led.fewReplicas": "该分区有过多 broker 宕机或滞后。",
  "led.leaderMoved": "领导权刚刚转移：broker 宕机、停止或重新平衡。",
  "led.noLeaderForLong": "在这么长时间里没有可到达的主副本，或 broker 太慢。",
  "led.slowBrokers": "broker 停顿、磁盘慢，或网络丢包。",
  "led.slowFollowers": "ISR 中有 follower 很慢或刚刚宕机，主副本仍在等它。",
  "led.configuration": "某项配置。",
  "led.sequenceGap":
    "切换到了缺少已确认记录的副本（acks 低于 all、unclean 选举），或前面的批次失败。",
  "led.producerExpired": "生产者很少写入，或 topic 保留时间很短。",
  "led.twoProducers": "同一 transactional.id 的第二个实例，或停顿超过 transaction.timeout.ms。",
  "led.start": "生产者启动了。",
  "led.allDead": "ISR 的成员相继或同时宕机。",
  "led.leaderDead": "主副本所在 broker 宕机或会话失效。",
  "led.rebalance": "首选副本重启后恢复，auto.leader.rebalance.enable 或运维人员要求由它领导。",
  "led.uncleanBefore": "通常是发生过 unclean 选举、主副本的磁盘被清空或截短，或主副本删除了记录。",
  "led.diskBroken": "磁盘出错或已满。",
  "led.twoControllers": "controller 已转移，而旧的尚未察觉。",
  "led.sessionEnded": "进程宕机、停顿（GC、磁盘），或与 controller 失联。",
  "led.sessionStillValid": "broker 被杀后在会话期内又启动。",
  "led.controllerGone": "controller 宕机或正在选举，或网络中断。",
  "led.cleanStop": "有人停止了 broker。",
  "led.cannotHandOver": "有单副本分区，或其他副本不在 ISR 中。",
  "led.controllerDead": "之前的 controller 停止、宕机，或失去会话或多数派。",
  "led.killed": "进程被杀或机器宕机。",
  "led.powerLost": "机器断电或操作系统崩溃，数据页尚未落盘。",
  "led.diskEmptied": "主副本的日志起点晚于本日志的末尾，或段文件缺失。",
  "led.normal": "正常运行。",
  "led.move": "运维人员或工具正在迁移副本或删除 topic。",
  "led.positionGone": "新的消费组、停顿超过保留时间，或切换中丢失了记录。",
  "led.readerGone": "消费者启动、停止、被杀，或两次 poll 之间太慢。",
  "led.brokerGone": "broker 停止或宕机，或地址有误。",
  "ask.racks": "机架（需要按机架回答时填写）",
  "board.title": "如果……：{brokers} 个 broker，{partitions} 个分区",
  "board.minIsrAssumed":
    "文本没有写明这些 topic 的 min.insync.replicas，按 Kafka 的默认值 {value} 处理：{topics}。若 broker 另有设置，请一并粘贴。",
  "board.minIsrGiven": "这些 topic 采用 broker 的 min.insync.replicas={value}：{topics}。",
  "board.uncleanAssumed": "topic 未写明时，按允许 unclean 选举处理。",
  "board.down":
    "这些 broker 不领导任何分区，也不在任何有主副本的分区的 ISR 中，视为宕机：{brokers}。",
  "board.acks":
    "“可能丢失”指 acks=all 已确认的记录；断电时指操作系统尚未刷盘的部分。acks=1 的记录随任何一个宕机的主副本都可能丢失。",
  "board.repair": "先修复",
  "board.healthy": "无须修复：每个分区都由首选副本领导，ISR 完整。",
  "board.restart": "滚动重启",
  "board.order": "按此顺序，前一个回到所有 ISR 之后再重启下一个：{order}。",
  "board.orderPart": "这些可以重启，前一个回到所有 ISR 之后再重启下一个：{order}。",
  "board.stuck.R5.13": "broker {broker} 不行：它离开期间 {partition} 没有主副本。",
  "board.stuck.R2.7": "broker {broker} 不行：它离开期间 {partition} 会拒绝 acks=all。",
  "board.singles": "每个 broker",
  "board.racks": "每个机架",
  "board.unreadRacks": "未能读作机架：{racks}。写法是机架名和 broker 编号，例如 a=1,2 b=3。",
  "board.pairs": "两个一起比各自单独更糟的组合",
  "board.noPairs": "没有哪两个 broker 一起比各自单独更糟。",
  "board.brokers": "broker",
  "board.stop": "干净停止",
  "board.crash": "宕机",
  "board.power": "断电",
  "board.may": "现在可以重启吗？",
  "board.rack": "{rack}（{brokers}）",
  "board.nothing": "没有变糟",
  "board.mayLose": "{count} 个可能丢失",
  "board.leaderless": "{count} 个没有主副本",
  "board.refused": "{count} 个拒绝 acks=all",
  "board.play": "演示",
  "board.yes": "可以。",
  "board.noLeader": "不行：{partition} 会没有主副本。",
  "board.noIsr": "不行：{partition} 会拒绝 acks=all。",
  "repair.offline": "{count} 个分区没有主副本；请恢复其中之一：{brokers}。",
  "repair.underMinIsr":
    "{count} 个分区拒绝 acks=all：同步副本少于 min.insync.replicas。缺少：{brokers}。",
  "repair.atMinIsr":
    "{count} 个分区的同步副本恰好等于 min.insync.replicas：再有一处故障，acks=all 就被拒绝。缺少：{brokers}。",
  "repair.underReplicated": "{count} 个分区的 ISR 不完整。缺少：{brokers}。",
  "repair.oneReplica": "{count} 个分区只有一个副本：没有别的 broker 可以接管，全靠一块磁盘。",
  "repair.moving": "{count} 个分区正在迁移；下一步之前请等待完成或取消。",
  "repair.notPreferred": "{count} 个分区不由首选副本领导：负载不均，没有风险。",
  "finding.queue.async":
    "producer.type=async 时，消息先在进程内的队列里等待：进程宕机时队列中的内容会丢失，重试后仍失败的也会丢失，而调用者不会知道。",
  "finding.idempotence.none": "这个生产者没有幂等性：响应丢失的批次会重发，在日志中出现两次。",
  "finding.heartbeat.late":
    "broker 每 {interval} 毫秒发一次心跳，而 {session} 毫秒没有心跳就算宕机：它会反复被隔离，每次都失去领导权。",
  "log.produce.appendError":
    "主副本未能追加一个批次，原因见下一行：NotEnoughReplicasException 表示 ISR 太小，OutOfOrderSequenceException 表示缺少批次，KafkaStorageException 表示磁盘故障。",
  "log.controller.cannotReach":
    "controller 通过专用连接向 broker 发送分区状态。连接建立之前，broker 只能依据已知的状态行事。",
  "log.election.failed":
    "controller 未能使分区上线：ISR 成员都不在线，或 ZooKeeper 中的状态已被改写。",
  "log.broker.fencedChanges":
    "controller 把被隔离或正在关闭的 broker 移出这些分区：它们换了主副本，或 ISR 变小。",
  "log.offsets.notEnoughBrokers":
    "topic 要求的副本数多于在线的 broker，因而没有创建。在足够之前，消费组无法提交，消费者无法启动。",
  "log.broker.allDirsFailed": "本 broker 已没有可用的磁盘，因此停机。它的副本只能从别处恢复。",
  "log.isr.conditionalUpdate":
    "主副本想把分区状态写入 ZooKeeper，而别人已先写入：即 controller，换了主副本或 ISR。",
  "log.session.lost": "与 ZooKeeper 的连接断开或恢复。尚无定论：在会话超时之前恢复，就没有人察觉。",
  "log.broker.transition": "broker 收到停止指令，正在干净地停止：先移交领导权。",
  "log.client.rdkafkaRefused":
    "基于 librdkafka 的客户端失去了与某个 broker 的连接，或无法连上。它会自行重连；记录会一直等到 message.timeout.ms。",
  "log.move.inProgress":
    "工具表明迁移尚未完成：新副本还在复制。在此之前旧副本也保留着；此时有 broker 离线会使迁移停住。",
  "log.move.verified":
    "工具表明迁移已完成：分区已在新副本上。为它设置的限流由同一条命令清除，也只由它清除。",
  "log.move.failed":
    "工具表明分区不在文件要求的副本上，也没有人在迁移它：迁移被拒绝、取消，或被另一次迁移取代。",
  "quorum.title": "controller 法定人数：{count} 个投票者",
  "quorum.leader": "{leader} 是活动 controller：选举和 ISR 变更都经过它。",
  "quorum.none":
    "没有活动 controller。现有主副本的读写照常，但在有新的之前，不会选举，也不会变更 ISR。",
  "quorum.may": "{list} 中可以同时有 {down} 个宕机，其余的仍能选出 controller。",
  "quorum.mayNot": "{list} 都不能宕机：没有多数派就没有 controller，任何分区都无法切换主副本。",
  "quorum.even": "{count} 个投票者能承受的故障数并不比少一个时更多。",
  "quorum.lag": "最慢的 follower 落后 {ms} 毫秒：这么晚的 controller 或 broker 依据的是旧元数据。",
  "finding.refusedByClient": "{client} 会拒绝：“{says}”",
};
